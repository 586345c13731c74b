/** The product's languages. */
export type Locale = 'en' | 'id';

/** Returns the language of a request: Indonesian when its first Accept-Language is `id`, else English. */
export function localeOf(acceptLanguage: string | undefined): Locale {
  const first = acceptLanguage?.split(',')[0]?.split(';')[0]?.trim().toLowerCase() ?? '';
  return first === 'id' || first.startsWith('id-') ? 'id' : 'en';
}
