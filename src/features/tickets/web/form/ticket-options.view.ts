import type { listTicketNumbers } from '#features/tickets/tickets.contract.ts';
import type { Answer } from '#shared/endpoint.ts';
import { m } from '#shared/texts/messages.js';
import { formatDay, formatNumber } from '#web/format/format.ts';
import type { Option } from '#web/ui/field/search-select.tsx';
import { nameStatus } from '../ticket-badge.view.tsx';

type Numbered = Answer<typeof listTicketNumbers>['data'][number];

/** A ticket as an option of a selector: number, file, day, rows and state. */
export function optionOf({ ticket_number: number, file_name: file, date, total, status }: Numbered): Option {
  const rows = m.tickets_rows_of({ number: formatNumber(total) });
  const detail = [file, formatDay(date), rows, nameStatus(status)].filter((part) => part !== null);
  return { value: number, label: number, detail };
}
