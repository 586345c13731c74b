import { Link } from 'react-router';
import { m } from '#shared/texts/messages.js';
import { paths } from '#web/address/paths.ts';
import { useUser } from '#web/client/session.ts';
import { EmptyState } from '#web/ui/feedback/message-state.tsx';
import panels from '#web/ui/layout/panel.module.css';

type Props = {
  number: string;
  /** Whether the screen has shown the ticket before, so that it must have been deleted since. */
  wasShown: boolean;
};

/** Stands in place of a ticket that does not exist. */
export function TicketGone({ number, wasShown }: Props) {
  const { superadmin } = useUser();
  return (
    <div className={panels.panel}>
      <EmptyState
        title={wasShown ? m.tickets_was_deleted({ number }) : m.tickets_not_found({ number })}
        action={<Link to={superadmin ? paths.tracker : paths.data}>{m.tickets_open_newest()}</Link>}
      />
    </div>
  );
}
