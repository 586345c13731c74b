import { ToWords as EnglishWords } from 'to-words/en-US';
import { ToWords as IndonesianWords } from 'to-words/id-ID';
import type { Locale } from '#shared/locale.ts';

const words = { en: new EnglishWords(), id: new IndonesianWords() };

const tens =
  /\b(twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety) (?=one|two|three|four|five|six|seven|eight|nine)/g;

/** Writes whole rupiah in words, as invoices in Indonesia have them: `Seribu seratus rupiah`, `Eighty-eight rupiah`. */
export function writeAmount(rupiah: number, locale: Locale): string {
  const text = words[locale].convert(rupiah).toLowerCase().replaceAll(tens, '$1-');
  return `${text.charAt(0).toUpperCase()}${text.slice(1)} rupiah`;
}
