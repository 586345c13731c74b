import type { TicketStatus } from '#features/tickets/ticket-status.shared.ts';
import { m } from '#shared/texts/messages.js';
import { StatusBadge } from '#web/ui/badge/status-badge.tsx';

const looks = {
  Pending: { mark: 'clock', text: m.tickets_status_pending },
  Processing: { mark: 'loader', text: m.tickets_status_processing },
  Completed: { mark: 'check', text: m.tickets_status_completed },
  Cancelled: { mark: 'cross', text: m.tickets_status_cancelled },
} as const satisfies Record<TicketStatus, object>;

export const nameStatus = (status: TicketStatus) => looks[status].text();

export function TicketBadge({ status }: { status: TicketStatus }) {
  return <StatusBadge tone={ticketTones[status]} mark={looks[status].mark} text={nameStatus(status)} />;
}

const ticketTones = {
  Pending: 'yellow',
  Processing: 'blue',
  Completed: 'green',
  Cancelled: 'red',
} as const satisfies Record<TicketStatus, string>;

type TicketCounts = { status: TicketStatus; percent: number; failed: number; total: number };

/** Returns a ticket's bar: in its status' colour with red for failed rows, animated while running, full when Completed. */
export function barOf({ status, percent: finished, failed, total }: TicketCounts) {
  const percent = status === 'Completed' ? 100 : finished;
  return {
    tone: ticketTones[status],
    animated: status === 'Processing',
    percent,
    failed: total === 0 ? 0 : Math.min(percent, (failed / total) * 100),
  };
}
