import { IconArrowsDiff, IconBan } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { isRunning } from '#features/tickets/ticket-status.shared.ts';
import type { TicketMatch } from '#features/tickets/tickets.contract.ts';
import { m } from '#shared/texts/messages.js';
import { paths } from '#web/address/paths.ts';
import { formatDay, formatNumber, formatRupiah } from '#web/format/format.ts';
import buttons from '#web/styles/buttons.module.css';
import typography from '#web/styles/typography.module.css';
import { ProgressBar } from '#web/ui/chart/progress-bar.tsx';
import type { Column } from '#web/ui/table/table-column.ts';
import { nameTicket } from '../name-ticket.view.ts';
import { barOf, TicketBadge } from '../ticket-badge.view.tsx';
import { TicketLink } from '../ticket-name.view.tsx';
import styles from './upload-columns.module.css';

type Actions = {
  drawDownload: (ticket: TicketMatch) => ReactNode;
  stop: (ticket: TicketMatch) => void;
};

/** The columns of the uploads of a company. A ticket's name leads to its page. */
export function uploadColumns({ drawDownload, stop }: Actions): Column<TicketMatch>[] {
  return [
    {
      key: 'file',
      card: 'title',
      header: m.data_import_file,
      kind: 'text',
      width: 190,
      pinned: true,
      cell: (ticket) => <TicketLink ticket={ticket} />,
    },
    {
      key: 'date',
      card: 'text',
      header: m.tickets_date,
      kind: 'day',
      width: 92,
      cell: ({ date }) => formatDay(date),
    },
    {
      key: 'by',
      card: 'none',
      header: m.tickets_uploaded_by,
      kind: 'text',
      cell: ({ uploaded_by: by }) => by?.name ?? '–',
    },
    {
      key: 'status',
      card: 'state',
      header: m.tickets_status,
      kind: 'state',
      cell: ({ status }) => <TicketBadge status={status} />,
    },
    {
      key: 'progress',
      card: 'more',
      header: m.tickets_progress,
      kind: 'progress',
      cell: (ticket) => (
        <span className={styles.uploadProgress}>
          <ProgressBar label={`${m.tickets_progress()}: ${nameTicket(ticket)}`} {...barOf(ticket)} />
          <span className={typography.tabular}>{barOf(ticket).percent}%</span>
        </span>
      ),
    },
    {
      key: 'rows',
      card: 'below',
      header: m.tickets_rows,
      kind: 'number',
      cell: ({ total }) => formatNumber(total),
    },
    {
      key: 'failed',
      card: 'below',
      header: m.data_failed,
      kind: 'number',
      width: 64,
      cell: ({ failed }) => formatNumber(failed),
    },
    {
      key: 'price',
      card: 'end',
      header: m.tickets_total_price,
      kind: 'number',
      width: 104,
      cell: ({ total_amount: total }) => formatRupiah(total),
    },
    {
      key: 'actions',
      card: 'menu',
      header: m.tickets_actions,
      kind: 'action',
      width: 84,
      cell: (ticket) => (
        <span className={styles.uploadActions}>
          {isRunning(ticket) ? (
            <button
              type="button"
              className={buttons.iconButton}
              aria-label={m.tickets_uploads_stop({ name: nameTicket(ticket) })}
              title={m.tickets_stop()}
              onClick={() => stop(ticket)}
            >
              <IconBan size={16} aria-hidden="true" />
            </button>
          ) : (
            <Link
              className={buttons.iconButton}
              aria-label={m.tickets_uploads_compare({ name: nameTicket(ticket) })}
              title={m.data_compare()}
              to={paths.compareOf(ticket.ticket_number)}
            >
              <IconArrowsDiff size={16} aria-hidden="true" />
            </Link>
          )}
          {drawDownload(ticket)}
        </span>
      ),
    },
  ];
}
