import { IconCircleCheck, IconCircleX, IconClock, IconLoader2 } from '@tabler/icons-react';
import type { TicketStatus } from '#features/tickets/ticket-status.shared.ts';
import { m } from '#shared/texts/messages.js';
import { StatusBadge } from '#web/ui/badge/status-badge.tsx';
import { ticketTones } from './ticket-bar.view.ts';

const looks = {
  Pending: { icon: IconClock, text: m.tickets_status_pending },
  Processing: { icon: IconLoader2, text: m.tickets_status_processing },
  Completed: { icon: IconCircleCheck, text: m.tickets_status_completed },
  Cancelled: { icon: IconCircleX, text: m.tickets_status_cancelled },
} as const satisfies Record<TicketStatus, object>;

/** A status in a word. */
export const nameStatus = (status: TicketStatus) => looks[status].text();

/** A ticket's status in its colour, with icon and word. */
export function TicketBadge({ status }: { status: TicketStatus }) {
  const { icon: Icon, text } = looks[status];
  return (
    <StatusBadge tone={ticketTones[status]} icon={<Icon aria-hidden="true" />}>
      {text()}
    </StatusBadge>
  );
}
