import type { Coverage } from '#features/sources/sources.contract.ts';
import { fill, type Text } from '#server/http/errors/errors.ts';
import { cutText } from '#shared/cut-text.ts';
import type { Locale } from '#shared/locale.ts';
import { m } from '#shared/texts/messages.js';
import { readDay } from './dates.ts';

/** The maximum length of a stored text. */
const maxTextLength = 500;

/** Returns the coverage in a source's values. Unusable values become null. */
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

/** Describes the values that each field accepts. */
const accepted: Record<keyof Coverage, (given: { found: string }, options: { locale: Locale }) => string> = {
  type: m.server_try_text_accepted,
  activation_status: m.server_try_activation_accepted,
  purchase_date: m.server_try_date_accepted,
  warranty_title: m.server_try_text_accepted,
  coverage_start_date: m.server_try_date_accepted,
  coverage_end_date: m.server_try_date_accepted,
};

/** The maximum length of an unusable value in a message. */
const maxShownLength = 200;

/**
 * Explains why a value of a source is unusable.
 * @param mask hides secrets in the value
 * @returns undefined if the value is usable, or there was none
 */
export function explainUnused(
  field: keyof Coverage,
  value: unknown,
  row: Coverage,
  mask: (text: string) => string,
): Text | undefined {
  if (row[field] !== null || value === undefined || value === null || value === '') return undefined;
  const shownValue = cutText(mask(JSON.stringify(value) ?? String(value)), maxShownLength);
  return fill(accepted[field], { found: shownValue });
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: finds control characters.
const controls = /[\u0000-\u001f\u007f-\u009f]+/g;

/** Returns a short text without control characters, or null. A text in the database cannot contain NUL. */
export function readText(value: unknown): string | null {
  if (typeof value !== 'string' && typeof value !== 'number') return null;
  const text = String(value).replaceAll(controls, ' ').trim();
  return text === '' ? null : cutText(text, maxTextLength).toWellFormed();
}

function readActivation(value: unknown): Coverage['activation_status'] {
  const word = typeof value === 'string' ? value.trim().toLowerCase() : '';
  return word === 'activated' || word === 'unactivated' ? word : null;
}
