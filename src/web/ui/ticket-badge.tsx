import { IconCircleCheck, IconCircleX, IconClock, IconLoader2 } from '@tabler/icons-react';
import { m } from '#shared/texts/messages.js';
import { StatusBadge } from './status-badge.tsx';

const looks = {
  Pending: { tone: 'yellow', icon: IconClock, text: m.tickets_status_pending },
  Processing: { tone: 'blue', icon: IconLoader2, text: m.tickets_status_processing },
  Completed: { tone: 'green', icon: IconCircleCheck, text: m.tickets_status_completed },
  Cancelled: { tone: 'red', icon: IconCircleX, text: m.tickets_status_cancelled },
} as const;

/** A ticket's status in its colour, with icon and word. */
export function TicketBadge({ status }: { status: keyof typeof looks }) {
  const { tone, icon: Icon, text } = looks[status];
  return (
    <StatusBadge tone={tone} icon={<Icon aria-hidden="true" />}>
      {text()}
    </StatusBadge>
  );
}
