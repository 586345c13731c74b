import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { isRunning } from '#features/tickets/ticket-status.shared.ts';
import type { ListedProgress, Progress } from '#features/tickets/tickets.contract.ts';
import { nameNumbered } from '#features/tickets/web/name-ticket.view.ts';
import { WaitingLine } from '#features/tickets/web/page/waiting.view.tsx';
import { barOf, TicketBadge } from '#features/tickets/web/ticket-badge.view.tsx';
import { TicketLink } from '#features/tickets/web/ticket-name.view.tsx';
import { allProgressQuery } from '#features/tickets/web/tickets.api.ts';
import { m } from '#shared/texts/messages.js';
import { paths } from '#web/address/paths.ts';
import { describeCounts, formatNumber, formatShortDay } from '#web/format/format.ts';
import layout from '#web/styles/layout.module.css';
import typography from '#web/styles/typography.module.css';
import { ProgressBar } from '#web/ui/chart/progress-bar.tsx';
import { ReadState } from '#web/ui/feedback/read-state.tsx';
import { PanelSkeleton } from '#web/ui/feedback/skeleton.tsx';
import { drawAttention, useOperations } from './attention.tsx';
import styles from './now.module.css';
import { maxLines, NowPanel } from './now-panel.tsx';

/** Running tickets, cases that need a decision, and the last tickets. A panel without lines is left out. */
export function Now({ superadmin }: { superadmin: boolean }) {
  const read = useQuery(allProgressQuery(''));
  const operations = useOperations(superadmin);
  return (
    <ReadState read={read} boxed>
      {(tickets) => (
        <div className={styles.now}>
          {tickets === undefined || operations.pending ? (
            <PanelSkeleton height={208} />
          ) : (
            <>
              <NowPanel title={m.home_running()}>{drawAllRunning(tickets.filter(isRunning))}</NowPanel>
              <NowPanel title={m.home_attention()}>
                {drawAttention(tickets, operations.lines, superadmin)}
              </NowPanel>
              <NowPanel title={m.home_last_tickets()}>{tickets.slice(0, maxLines).map(drawLast)}</NowPanel>
            </>
          )}
        </div>
      )}
    </ReadState>
  );
}

function drawLast(ticket: ListedProgress) {
  return (
    <li key={ticket.ticket_number}>
      <span className={layout.row}>
        <TicketLink ticket={ticket} />
        <span className={typography.dim}>
          {[ticket.uploaded_by?.name, formatShortDay(ticket.date)].filter(Boolean).join(' · ')}
        </span>
      </span>
      <TicketBadge status={ticket.status} />
    </li>
  );
}

function drawAllRunning(running: readonly Progress[]) {
  const moreCount = running.length - maxLines;
  return [
    ...running.slice(0, maxLines).map(drawRunning),
    moreCount > 0 && (
      <li key="more">
        <Link to={paths.tracker}>{m.home_more({ number: formatNumber(moreCount) })}</Link>
      </li>
    ),
  ];
}

function drawRunning(ticket: Progress) {
  const { ticket_number: number } = ticket;
  const bar = barOf(ticket);
  return (
    <li key={number}>
      <span className={layout.row}>
        <TicketLink ticket={ticket} />
        <span className={typography.dim}>{ticket.uploaded_by?.name}</span>
      </span>
      <span className={`${typography.dim} ${typography.tabular}`}>{describeCounts(ticket)}</span>
      <ProgressBar label={nameNumbered(ticket)} {...bar} />
      <WaitingLine ticket={ticket} />
    </li>
  );
}
