import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { figuresQuery } from '#features/devices/web/devices.api.ts';
import { isRunning } from '#features/tickets/ticket-status.shared.ts';
import type { Progress } from '#features/tickets/tickets.contract.ts';
import { WaitingLine } from '#features/tickets/web/page/waiting.view.tsx';
import { barOf, TicketBadge } from '#features/tickets/web/ticket-badge.view.tsx';
import { allProgressQuery } from '#features/tickets/web/tickets.api.ts';
import { m } from '#shared/texts/messages.js';
import { paths } from '#web/address/paths.ts';
import { describeCounts, formatNumber, formatShortDay } from '#web/format/format.ts';
import { ProgressBar } from '#web/ui/chart/progress-bar.tsx';
import { ReadState } from '#web/ui/feedback/read-state.tsx';
import { Attention } from './attention.tsx';
import { MoreLine, most, NowPanel, TicketLink } from './now-panel.tsx';
import './now.css';

export function Now({ superadmin }: { superadmin: boolean }) {
  const read = useQuery(allProgressQuery(''));
  return (
    <ReadState read={read} boxed>
      {(tickets) => (
        <div className="now">
          <NowPanel
            name="running"
            title={m.home_running()}
            none={m.home_running_none()}
            usual={2}
            pending={tickets === undefined}
          >
            {drawAllRunning((tickets ?? []).filter(isRunning))}
          </NowPanel>
          <Attention tickets={tickets} superadmin={superadmin} />
          <KnownDevices />
          <NowPanel
            name="last"
            title={m.home_last_tickets()}
            none={m.home_last_none()}
            usual={most}
            pending={tickets === undefined}
          >
            {(tickets ?? []).slice(0, most).map((ticket) => (
              <li key={ticket.ticket_number}>
                <span className="row">
                  <TicketLink number={ticket.ticket_number} />
                  <span className="dim">{formatShortDay(ticket.date)}</span>
                </span>
                <TicketBadge status={ticket.status} />
              </li>
            ))}
          </NowPanel>
        </div>
      )}
    </ReadState>
  );
}

function drawAllRunning(running: readonly Progress[]) {
  const left = running.length - most;
  return [
    ...running.slice(0, most).map(drawRunning),
    left > 0 && <MoreLine key="more" count={left} to={paths.tracker} />,
  ];
}

function drawRunning(ticket: Progress) {
  const { ticket_number: number } = ticket;
  const bar = barOf(ticket);
  return (
    <li key={number}>
      <TicketLink number={number} />
      <span className="dim tabular">{describeCounts(ticket)}</span>
      <ProgressBar label={m.tickets_number({ number })} {...bar} />
      <WaitingLine ticket={ticket} />
    </li>
  );
}

function KnownDevices() {
  const { data, isError } = useQuery(figuresQuery('', '0'));
  const lines =
    data === undefined
      ? []
      : [
          { text: m.home_devices_covered, count: data.covered, query: 'expired=false' },
          {
            text: m.home_devices_ending,
            count: data.ending_30,
            query: 'ends_within=30&sort=coverage_end_date',
          },
          { text: m.home_devices_changed_7, count: data.changed_7, query: `changed_since=${data.since_7}` },
          {
            text: m.home_devices_changed_30,
            count: data.changed_30,
            query: `changed_since=${data.since_30}`,
          },
        ];
  return (
    <NowPanel
      name="devices"
      title={m.home_known_devices()}
      none={m.home_known_devices_none()}
      usual={5}
      pending={data === undefined && !isError}
    >
      {isError
        ? [
            <li key="unread">
              <Link to={paths.devices}>{m.home_unread({ screen: m.common_menu_devices() })}</Link>
            </li>,
          ]
        : lines
            .filter(({ count }) => count > 0)
            .map(({ text, count, query }) => (
              <li key={query}>
                <Link to={paths.devicesOf(query)}>{text({ count, number: formatNumber(count) })}</Link>
              </li>
            ))}
    </NowPanel>
  );
}
