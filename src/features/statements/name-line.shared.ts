import { type NamedTicket, nameTicketIn } from '#features/tickets/ticket-names.shared.ts';
import type { Locale } from '#shared/locale.ts';

/** A line as far as its name needs it. */
type Line = {
  file_name: string | null;
  kind?: NamedTicket['kind'] | undefined;
  rows?: number | undefined;
  made_at?: string | undefined;
};

/**
 * Names the ticket of a line as people know it. A line of an older invoice has only its file.
 * @param formatMonth writes the month of an instant
 */
export function nameLine(line: Line, locale: Locale, formatMonth: (instant: string) => string): string {
  const { file_name, kind, rows: total, made_at: date } = line;
  if (kind === undefined || total === undefined || date === undefined) return file_name ?? '–';
  return nameTicketIn({ file_name, kind, total, date }, locale, formatMonth);
}
