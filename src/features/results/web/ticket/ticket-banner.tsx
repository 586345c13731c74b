import { Link } from 'react-router';
import type { Progress, Ticket } from '#features/tickets/tickets.contract.ts';
import { WaitingLine } from '#features/tickets/web/page/waiting.view.tsx';
import { TicketBadge } from '#features/tickets/web/ticket-badge.view.tsx';
import { barOf } from '#features/tickets/web/ticket-bar.view.ts';
import { m } from '#shared/texts/messages.js';
import { paths } from '#web/address/paths.ts';
import { formatNumber } from '#web/format/format.ts';
import '#web/ui/feedback/skeleton.css';
import { describeDeleted } from '../deletion/deleted-data.ts';
import './ticket-banner.css';

type Props = {
  ticket: Ticket;
  /** Of a ticket that is being processed. */
  progress: Progress | undefined;
};

/** Which ticket the rows below belong to, how it stands, how many rows it has and what it waits for. */
export function TicketBanner({ ticket, progress }: Props) {
  const deleted = describeDeleted(ticket);
  return (
    <section className="ticket-banner" aria-label={m.data_current_ticket()}>
      <dl>
        <div>
          <dt>{m.data_ticket_number()}</dt>
          <dd>{ticket.ticket_number}</dd>
        </div>
        <div>
          <dt>{m.data_status()}</dt>
          <dd>
            <TicketBadge status={ticket.status} />
          </dd>
        </div>
        <div>
          <dt>{m.data_total_records()}</dt>
          <dd>{formatNumber(ticket.total)}</dd>
        </div>
        <div>
          <dt>{m.data_tracker_completion()}</dt>
          <dd>{`${barOf(ticket).percent}%`}</dd>
        </div>
      </dl>
      <Link to={paths.trackerOf(ticket.ticket_number)}>{m.data_open_tracker()}</Link>
      {progress !== undefined && progress.waiting_reason !== null && (
        <p>
          <WaitingLine ticket={progress} />
        </p>
      )}
      {deleted !== null && <p className="dim">{deleted}</p>}
    </section>
  );
}

/** The banner's room while its ticket is on the way. */
export function TicketBannerSkeleton() {
  return <div className="ticket-banner skeleton" />;
}
