import type { InvalidReason } from '#shared/identifier.ts';
import type { Locale } from '#shared/locale.ts';
import { m } from '#shared/texts/messages.js';

// Reasons and details are stored and answered in English. Screens and workbooks translate them.

/** The server passes the language; the browser has only one. */
type In = { locale: Locale };
type Text = (inputs?: Record<string, never>, options?: In) => string;

const invalidTexts: Record<InvalidReason, Text> = {
  check_digit: m.data_invalid_check_digit,
  zeros: m.data_invalid_zeros,
  exponent: m.data_invalid_exponent,
  rounded: m.data_invalid_rounded,
  iccid: m.data_invalid_iccid,
  eid: m.data_invalid_eid,
  name: m.data_invalid_name,
  no_result: m.data_invalid_no_result,
  other: m.data_invalid_other,
};

const byEnglish = (texts: Text[]) => new Map(texts.map((text) => [text({}, { locale: 'en' }), text]));
const reasons = byEnglish([
  m.data_reason_invalid,
  m.data_reason_not_found,
  m.data_reason_unavailable,
  m.data_reason_rejected,
]);
const details = byEnglish([...Object.values(invalidTexts), m.data_no_source_takes]);

export function describeInvalid(reason: InvalidReason, options?: In): string {
  return invalidTexts[reason]({}, options);
}

/** Translates the reason why a row failed. */
export function translateReason(reason: string, options?: In): string {
  return reasons.get(reason)?.({}, options) ?? reason;
}

/** Translates the details of a failure; a source's own words stay as they are. */
export function translateDetails(text: string, options?: In): string {
  return details.get(text)?.({}, options) ?? text;
}
