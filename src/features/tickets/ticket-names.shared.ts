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

/** A ticket as far as its name needs it. */
export type NamedTicket = {
  file_name: string | null;
  kind: 'upload' | 'paste' | 'order' | 'recheck';
  total: number;
  /** The instant when it was made. */
  date: string;
};

/**
 * Names a ticket as people know it: by its file, or by how its rows came.
 * @param formatMonth writes the month of an instant
 */
export function nameTicketIn(
  { file_name, kind, total, date }: NamedTicket,
  locale: Locale,
  formatMonth: (instant: string) => string,
): string {
  if (kind === 'recheck') return m.tickets_named_recheck({ month: formatMonth(date) }, { locale });
  if (kind === 'order') return m.tickets_named_order({ number: formatCount(total, locale) }, { locale });
  return nameUpload({ file_name, total }, locale);
}

/** Adds its number to a ticket's name, for one line: a file may have been uploaded twice. */
export const addNumber = (name: string, ticketNumber: string | number) => `${name} #${ticketNumber}`;
