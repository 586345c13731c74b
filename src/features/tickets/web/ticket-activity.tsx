import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { Link } from 'react-router';
import type { listTicketNumbers } from '#features/tickets/tickets.contract.ts';
import type { Answer } from '#shared/endpoint.ts';
import { m } from '#shared/texts/messages.js';
import { notify } from '#web/notify.ts';
import { paths } from '#web/paths.ts';
import { useUser } from '#web/session.ts';
import { setTitlePercent } from '#web/title-percent.ts';
import { toast } from '#web/ui/toast.tsx';
import { isRunning, ticketNumbersQuery } from './tickets.api.ts';
import './ticket-activity.css';

const pollMs = 5000;
/** How soon work is noticed that began elsewhere: another tab, a colleague, the API. */
const idlePollMs = 10_000;

const noTickets: Answer<typeof listTicketNumbers>['data'] = [];

/** Slim sign in the shell while tickets are being processed; the tab tells how far, a toast when one is done. */
export function TicketActivity() {
  const { newUser } = useUser();
  const { data = noTickets } = useQuery({
    ...ticketNumbersQuery(),
    // The server answers nothing else before the first password change.
    enabled: !newUser,
    refetchInterval: ({ state }) =>
      state.data?.some((ticket) => ticket.total > 0 && isRunning(ticket)) ? pollMs : idlePollMs,
    // The end is told to people who look elsewhere, too.
    refetchIntervalInBackground: true,
  });
  const active = data.filter((ticket) => ticket.total > 0 && isRunning(ticket));
  const before = useRef(new Set<string>());

  useEffect(() => {
    for (const ticket of data) {
      if (ticket.status === 'Completed' && before.current.has(ticket.ticket_number)) {
        const text = m.tickets_now_completed({ number: ticket.ticket_number });
        toast.success(text);
        notify(text);
      }
    }
    before.current = new Set(
      data.filter((ticket) => isRunning(ticket)).map((ticket) => ticket.ticket_number),
    );
  }, [data]);

  const percent = active.length === 0 ? null : percentOf(active);
  useEffect(() => setTitlePercent(percent), [percent]);
  useEffect(() => () => setTitlePercent(null), []);

  const [first] = active;
  if (first === undefined) return null;
  return (
    <Link
      className="ticket-activity"
      to={active.length === 1 ? paths.trackerOf(first.ticket_number) : paths.tracker}
    >
      <span className="ticket-activity-dot" aria-hidden="true" />
      {active.length === 1
        ? m.tickets_activity_one({ number: first.ticket_number })
        : m.tickets_activity_many({ count: active.length })}
    </Link>
  );
}

/** The whole percent of all their rows, at most 99: the last of them is still under way. */
function percentOf(tickets: { total: number; finished: number }[]): number {
  const sum = (key: 'total' | 'finished') => tickets.reduce((all, ticket) => all + ticket[key], 0);
  return Math.min(99, Math.floor((sum('finished') / sum('total')) * 100));
}
