import type { TicketStatus } from '#features/tickets/ticket-status.shared.ts';
import { m } from '#shared/texts/messages.js';
import { StatusBadge } from '#web/ui/badge/status-badge.tsx';
import { ticketTones } from './ticket-bar.view.ts';

const looks = {
  Pending: { mark: 'clock', text: m.tickets_status_pending },
  Processing: { mark: 'loader', text: m.tickets_status_processing },
  Completed: { mark: 'check', text: m.tickets_status_completed },
  Cancelled: { mark: 'cross', text: m.tickets_status_cancelled },
} as const satisfies Record<TicketStatus, object>;

export const nameStatus = (status: TicketStatus) => looks[status].text();

export function TicketBadge({ status }: { status: TicketStatus }) {
  const { mark, text } = looks[status];
  return (
    <StatusBadge tone={ticketTones[status]} mark={mark}>
      {text()}
    </StatusBadge>
  );
}
