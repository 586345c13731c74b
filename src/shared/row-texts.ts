import { m } from '#shared/texts/messages.js';
import type { InvalidReason } from './identifier.ts';
import type { Locale } from './locale.ts';

// A row's outcome is stored and answered in English words. People read it in their language: on screen, in workbooks.

/** The browser has one language; the server says which. */
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

/** Why a cell holds no identifier. */
export function describeInvalid(reason: InvalidReason, options?: In): string {
  return invalidTexts[reason]({}, options);
}

/** Why a row failed. */
export function translateReason(reason: string, options?: In): string {
  return reasons.get(reason)?.({}, options) ?? reason;
}

/** What more is known about a failure; what a source said stays in its own words. */
export function translateDetails(text: string, options?: In): string {
  return details.get(text)?.({}, options) ?? text;
}

/** When a row's coverage ends. */
export function translateExpiry(text: string, options?: In): string {
  if (text === 'N/A') return m.data_na({}, options);
  if (text === 'Expired') return m.data_expired({}, options);
  if (text === 'Expires today') return m.data_expires_today({}, options);
  const days = /^(\d+) days$/.exec(text)?.[1];
  return days === undefined ? text : m.data_days({ days }, options);
}
