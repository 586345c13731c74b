import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useId } from 'react';
import { Link } from 'react-router';
import { proxySets } from '#features/proxies/web/proxies.api.ts';
import type { Progress } from '#features/tickets/tickets.contract.ts';
import { allProgressQuery } from '#features/tickets/web/tickets.api.ts';
import { WaitingLine } from '#features/tickets/web/waiting.view.tsx';
import { m } from '#shared/texts/messages.js';
import { isRunning } from '#shared/ticket-status.ts';
import { describeCounts } from '#web/describe-counts.ts';
import { formatLongDate, formatNumber } from '#web/format.ts';
import { paths } from '#web/paths.ts';
import { ProgressBar } from '#web/ui/progress-bar.tsx';
import { ReadState } from '#web/ui/read-state.tsx';
import { PanelSkeleton } from '#web/ui/skeleton.tsx';
import { TicketBadge } from '#web/ui/ticket-badge.tsx';
import { barOf } from '#web/ui/ticket-bar.ts';
import { homeSummaryQuery } from './home.api.ts';
import './now.css';

const refreshMs = 5000;
/** As many as are read at a glance. */
const most = 5;
/** A set of proxies is told of this many days before it ends. */
const soonDays = 7;
const dayMs = 24 * 60 * 60 * 1000;

/** What runs, what wants somebody, and what came last. */
export function Now({ superadmin }: { superadmin: boolean }) {
  const read = useQuery({
    ...allProgressQuery(''),
    refetchInterval: ({ state }) => (state.data?.some(isRunning) ? refreshMs : false),
  });
  return (
    <ReadState read={read} boxed>
      {(tickets) =>
        tickets === undefined ? (
          <div className="now">
            <PanelSkeleton height={168} count={3} />
          </div>
        ) : (
          <div className="now">
            <Box title={m.home_running()} none={m.home_running_none()}>
              {tickets.filter(isRunning).slice(0, most).map(drawRunning)}
            </Box>
            <Attention tickets={tickets} superadmin={superadmin} />
            <Box title={m.home_last_tickets()} none={m.home_last_none()}>
              {tickets.slice(0, most).map((ticket) => (
                <li key={ticket.ticket_number}>
                  <span className="now-ticket">
                    <TicketLink ticket={ticket} />
                    <span className="dim">{formatLongDate(ticket.date)}</span>
                  </span>
                  <TicketBadge status={ticket.status} />
                </li>
              ))}
            </Box>
          </div>
        )
      }
    </ReadState>
  );
}

/** A heading and a few lines; a word instead where there are none. */
function Box({ title, none, children }: { title: string; none: string; children: ReactNode[] }) {
  const id = useId();
  return (
    <section className="panel now-box" aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      {children.length === 0 ? <p className="dim">{none}</p> : <ul>{children}</ul>}
    </section>
  );
}

function TicketLink({ ticket }: { ticket: Progress }) {
  const { ticket_number: number } = ticket;
  return <Link to={paths.ticketOf(number)}>{m.tickets_number({ number })}</Link>;
}

function drawRunning(ticket: Progress) {
  const { ticket_number: number } = ticket;
  const bar = barOf(ticket);
  return (
    <li key={number} className="now-running">
      <span className="now-ticket">
        <TicketLink ticket={ticket} />
        <span className="dim tabular">{describeCounts(ticket)}</span>
      </span>
      <ProgressBar label={m.tickets_number({ number })} {...bar} />
      <WaitingLine ticket={ticket} />
    </li>
  );
}

/** What ends soon, what failed, and for superadmins the proxies that are about to expire. */
function Attention({ tickets, superadmin }: { tickets: readonly Progress[]; superadmin: boolean }) {
  const { data: summary } = useQuery(homeSummaryQuery());
  const { data: proxies } = useQuery({ ...proxySets, enabled: superadmin });
  const ending = summary?.coverage_ending[0]?.devices ?? 0;
  const expiring = (proxies?.data ?? []).filter(
    ({ status, expire_date: end }) =>
      status === 'Active' && new Date(end).getTime() - Date.now() < soonDays * dayMs,
  );
  const failed = tickets.filter((ticket) => !isRunning(ticket) && ticket.failed > 0).slice(0, most);
  return (
    <Box title={m.home_attention()} none={m.home_attention_none()}>
      {[
        ...(ending > 0
          ? [
              <li key="ending" className="now-waiting">
                {m.home_ending({ count: ending, number: formatNumber(ending) })}
              </li>,
            ]
          : []),
        ...expiring.map(({ proxy_set: name, remaining_time: time }) => (
          <li key={name} className="now-waiting">
            <Link to={paths.proxies}>{m.home_proxies_end({ name, time: time ?? '' })}</Link>
          </li>
        )),
        ...failed.map((ticket) => (
          <li key={ticket.ticket_number}>
            <TicketLink ticket={ticket} />
            <span className="now-failed">
              {m.home_failed_rows({ count: ticket.failed, number: formatNumber(ticket.failed) })}
            </span>
          </li>
        )),
      ]}
    </Box>
  );
}
