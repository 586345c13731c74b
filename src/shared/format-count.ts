import type { Locale } from './locale.ts';

const tags = { en: 'en-US', id: 'id-ID' } as const;

/** Formats a count with the digit groups of a language: 12,345 or 12.345. */
export function formatCount(value: number, locale: Locale): string {
  return value.toLocaleString(tags[locale]);
}
