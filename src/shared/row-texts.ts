import { m } from '#shared/texts/messages.js';
import type { InvalidReason } from './identifier.ts';
import type { Locale } from './locale.ts';

// Outcomes are stored and answered in English. Screens and workbooks translate them.

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

/** Describes why a cell holds no identifier. */
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

/** Translates when a row's coverage ends. */
export function translateExpiry(text: string, options?: In): string {
  if (text === 'N/A') return m.data_na({}, options);
  if (text === 'Expired') return m.data_expired({}, options);
  if (text === 'Expires today') return m.data_expires_today({}, options);
  const days = /^(\d+) days$/.exec(text)?.[1];
  return days === undefined ? text : m.data_days({ days }, options);
}
