import { m } from '#shared/texts/messages.js';
import { formatNumber } from './format.ts';

/** Digits alone, or groups of three behind one to three digits that do not begin with 0, always by the same separator. */
const forms = /^(?:\d+|[1-9]\d{0,2}([.,\s])\d{3}(?:\1\d{3})*)$/;

/**
 * Parses a typed whole number: `16000`, or grouped as either language or a spreadsheet does (`16.000`, `16,000`,
 * `16 000`). Null for anything else: amounts are never guessed.
 */
export function parseWholeNumber(typed: string): number | null {
  const text = typed.trim();
  return forms.test(text) ? Number(text.replaceAll(/[.,\s]/g, '')) : null;
}

export function explainWholeNumber(typed: string, minimum: number, maximum: number): string | null {
  const value = parseWholeNumber(typed);
  if (value === null) return m.common_number_form({ grouped: formatNumber(16_000) });
  if (value < minimum) return m.common_number_too_small({ minimum: formatNumber(minimum) });
  if (value > maximum) return m.common_number_too_large({ maximum: formatNumber(maximum) });
  return null;
}
