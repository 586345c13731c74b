import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import type { Ticket } from '#features/tickets/tickets.contract.ts';
import { progressQuery } from '#features/tickets/web/tickets.api.ts';
import { WaitingLine } from '#features/tickets/web/waiting.view.tsx';
import { m } from '#shared/texts/messages.js';
import { isRunning } from '#shared/ticket-status.ts';
import { formatNumber } from '#web/format.ts';
import { paths } from '#web/paths.ts';
import { TicketBadge } from '#web/ui/ticket-badge.tsx';
import { barOf } from '#web/ui/ticket-bar.ts';
import '#web/ui/skeleton.css';
import { describeDeleted } from './deleted-data.ts';
import './ticket-banner.css';

const pollMs = 5000;

/** Which ticket the rows below belong to, how it stands and how many rows it has. */
export function TicketBanner({ ticket }: { ticket: Ticket }) {
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
      {isRunning(ticket) && <Waiting ticketNumber={ticket.ticket_number} />}
      {deleted !== null && <p className="dim">{deleted}</p>}
    </section>
  );
}

/** What a ticket that is being processed waits for, if it does. */
function Waiting({ ticketNumber }: { ticketNumber: string }) {
  const { data } = useQuery({ ...progressQuery(ticketNumber), refetchInterval: pollMs });
  return data === undefined || data.waiting_reason === null ? null : (
    <p>
      <WaitingLine ticket={data} />
    </p>
  );
}

/** The banner's room while its ticket is on the way. */
export function TicketBannerSkeleton() {
  return <div className="ticket-banner skeleton" />;
}
