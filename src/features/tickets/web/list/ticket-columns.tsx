import { createContext, useContext } from 'react';
import type { Progress, TicketMatch } from '#features/tickets/tickets.contract.ts';
import { m } from '#shared/texts/messages.js';
import { describeCounts, formatDay, formatRupiah } from '#web/format/format.ts';
import typography from '#web/styles/typography.module.css';
import { ProgressBar } from '#web/ui/chart/progress-bar.tsx';
import { ActionMenu } from '#web/ui/overlay/action-menu.tsx';
import type { Column } from '#web/ui/table/table-column.ts';
import { barOf, TicketBadge } from '../ticket-badge.view.tsx';
import { TicketLink } from '../ticket-name.view.tsx';
import { listActions, type TicketActions } from './ticket-actions.tsx';
import { TicketMessage } from './ticket-card-progress.tsx';

/** The actions on tickets, and the progress of running ones. */
export const TicketListContext = createContext<{
  actions: TicketActions;
  moving: readonly Progress[];
} | null>(null);

function Message({ ticket }: { ticket: TicketMatch }) {
  const moving = useContext(TicketListContext)?.moving;
  const progress = moving?.find(({ ticket_number: number }) => number === ticket.ticket_number);
  return <TicketMessage ticket={ticket} progress={progress} />;
}

function Actions({ ticket }: { ticket: TicketMatch }) {
  const actions = useContext(TicketListContext)?.actions;
  return (
    <ActionMenu
      label={m.tickets_actions_of({ number: ticket.ticket_number })}
      actions={() => (actions === undefined ? [] : listActions(ticket, actions))}
    />
  );
}

/**
 * The columns of the dense list: the content of a card in one line. The row's menu has the actions of its buttons. The
 * columns need a `TicketListContext`.
 */
export const ticketColumns: readonly Column<TicketMatch>[] = [
  {
    key: 'number',
    card: 'title',
    header: m.tickets_ticket,
    kind: 'text',
    width: 114,
    pinned: true,
    cell: (ticket) => <TicketLink ticket={ticket} />,
  },
  {
    key: 'date',
    card: 'more',
    header: m.tickets_date,
    kind: 'day',
    cell: ({ date }) => formatDay(date),
  },
  {
    key: 'by',
    card: 'none',
    header: m.tickets_uploaded_by,
    kind: 'text',
    width: 80,
    cell: ({ uploaded_by: by }) => by?.name ?? '–',
  },
  {
    key: 'code',
    card: 'text',
    header: m.tickets_company_code,
    kind: 'code',
    cell: ({ company_code: code }) => <span className={typography.mono}>{code}</span>,
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
    card: 'none',
    header: m.tickets_progress,
    kind: 'progress',
    width: 68,
    cell: (ticket) => (
      <ProgressBar
        label={`${m.tickets_progress()}: ${m.tickets_number({ number: ticket.ticket_number })}`}
        {...barOf(ticket)}
      />
    ),
  },
  {
    key: 'counts',
    card: 'below',
    header: m.tickets_rows,
    kind: 'text',
    width: 130,
    cell: describeCounts,
  },
  {
    key: 'message',
    card: 'none',
    header: m.tickets_message,
    kind: 'text',
    width: 146,
    cell: (ticket) => <Message ticket={ticket} />,
  },
  {
    key: 'total',
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
    width: 76,
    cell: (ticket) => <Actions ticket={ticket} />,
  },
];
