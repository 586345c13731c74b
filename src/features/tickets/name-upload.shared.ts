import { formatCount } from '#shared/format-count.ts';
import type { Locale } from '#shared/locale.ts';
import { m } from '#shared/texts/messages.js';

/** Names a ticket as its uploader knows it: by its file, or by the count of pasted serials. */
export function nameUpload(
  { file_name: file, total }: { file_name: string | null; total: number },
  locale: Locale,
): string {
  return file ?? m.tickets_named_paste({ count: total, number: formatCount(total, locale) }, { locale });
}

/** Adds its number to a ticket's name, for one line: a file may have been uploaded twice. */
export const addNumber = (name: string, ticketNumber: string | number) => `${name} #${ticketNumber}`;
