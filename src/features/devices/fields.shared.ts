import { cutText } from '#shared/cut-text.ts';

/** The most characters of a column's key. */
export const maxKeyLength = 31;

/** The form of a column's key, as a part of regular expressions. */
export const keyForm = `[a-z][a-z0-9_]{0,${maxKeyLength - 1}}`;

/** The most own columns of a company. */
export const maxFields = 10;

/** The most characters of a column's name. */
export const maxFieldNameLength = 60;

/** The most characters of a value. */
export const maxFieldValueLength = 200;

/** Printable ASCII without spaces around it: nearly all values. */
const plainText = /^[!-~](?:[ -~]*[!-~])?$/;

/** Returns a text as a value: without control characters and spaces around it, cut to the longest value. */
export function toValue(text: string): string {
  if (text.length <= maxFieldValueLength && plainText.test(text)) return text;
  const clean = text.replaceAll(/\p{Cc}+/gu, ' ').trim();
  return cutText(clean, maxFieldValueLength).trimEnd().toWellFormed();
}

/** Returns the form in which names and heads of columns are compared. */
export const foldHead = (text: string) => text.trim().toLowerCase();

/** Returns the key of an order such as `field.employee`; undefined for an order by another column. */
export function sortedField(sort: string): string | undefined {
  return sort.startsWith('field.') ? sort.slice('field.'.length) : undefined;
}
