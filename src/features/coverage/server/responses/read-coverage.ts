import type { Coverage } from '#features/coverage/coverage.contract.ts';
import { readDay } from './dates.ts';

/** The longest text that is kept of a source's field. */
const longestText = 500;

/** Makes the row of what a source said, each value as the source wrote it; what cannot be used becomes null. */
export function readCoverage(values: Partial<Record<keyof Coverage, unknown>>, timezone: string): Coverage {
  return {
    type: readText(values.type),
    activation_status: readActivation(values.activation_status),
    purchase_date: readDay(values.purchase_date, timezone),
    warranty_title: readText(values.warranty_title),
    coverage_start_date: readDay(values.coverage_start_date, timezone),
    coverage_end_date: readDay(values.coverage_end_date, timezone),
  };
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for.
const controls = /[\u0000-\u001f\u007f-\u009f]+/g;

/** A short text without control characters (a database text cannot hold NUL), or null. */
export function readText(value: unknown): string | null {
  if (typeof value !== 'string' && typeof value !== 'number') return null;
  const text = String(value).replaceAll(controls, ' ').trim();
  return text === '' ? null : text.slice(0, longestText).toWellFormed();
}

function readActivation(value: unknown): Coverage['activation_status'] {
  const word = typeof value === 'string' ? value.trim().toLowerCase() : '';
  return word === 'activated' || word === 'unactivated' ? word : null;
}
