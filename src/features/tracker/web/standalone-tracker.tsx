import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { isRunning } from '#features/tickets/ticket-status.shared.ts';
import type { Progress } from '#features/tickets/tickets.contract.ts';
import { nameTicket } from '#features/tickets/web/name-ticket.view.ts';
import { barOf, TicketBadge } from '#features/tickets/web/ticket-badge.view.tsx';
import { TicketGone } from '#features/tickets/web/ticket-gone.view.tsx';
import { progressQuery, ticketQuery } from '#features/tickets/web/tickets.api.ts';
import { m } from '#shared/texts/messages.js';
import { paths } from '#web/address/paths.ts';
import { isMissing } from '#web/client/failure.ts';
import { formatBritishDate, formatNumber } from '#web/format/format.ts';
import layout from '#web/styles/layout.module.css';
import typography from '#web/styles/typography.module.css';
import { PartNotRead } from '#web/ui/feedback/part-not-read.tsx';
import { ReadState } from '#web/ui/feedback/read-state.tsx';
import { PanelSkeleton } from '#web/ui/feedback/skeleton.tsx';
import { PageHeader } from '#web/ui/layout/page-header.tsx';
import { Panel } from '#web/ui/layout/panel.tsx';
import { StatCard } from '#web/ui/layout/stat-card.tsx';
import { ProgressState } from './progress/progress-state.tsx';
import styles from './standalone-tracker.module.css';

const pollMs = 3000;

export function StandaloneTracker({ ticketNumber }: { ticketNumber: string }) {
  const read = useQuery({ ...progressQuery(ticketNumber), refetchInterval: pollMs });
  const ticketRead = useQuery(ticketQuery(ticketNumber));
  const isGone = isMissing(read.error);
  const ticket = isGone ? undefined : ticketRead.data;
  const expected = ticket?.data_count;

  return (
    <>
      <PageHeader
        title={ticket ? nameTicket(ticket) : m.tickets_number({ number: ticketNumber })}
        number={ticket && ticketNumber}
        subtitle={[m.data_tracker_current_ticket(), ticket?.uploaded_by?.name].filter(Boolean).join(' · ')}
        percent={isGone ? undefined : read.data?.percent}
        actions={<Link to={paths.trackerOf(ticketNumber)}>{m.data_tracker_back()}</Link>}
      />
      {isGone ? (
        <TicketGone number={ticketNumber} wasShown={read.data !== undefined} />
      ) : (
        <ReadState read={read} text={m.data_tracker_progress_failed()} boxed>
          {(progress) =>
            progress === undefined ? (
              <PanelSkeleton height={320} />
            ) : (
              <>
                <PartNotRead read={ticketRead} name={m.data_tracker_expected_count()} />
                <TicketProgress progress={progress} expected={expected} />
              </>
            )
          }
        </ReadState>
      )}
    </>
  );
}

function TicketProgress({ progress, expected }: { progress: Progress; expected: number | undefined }) {
  const bar = barOf(progress);
  const isOver = !isRunning(progress);
  const fact = (name: string, value: string) => (
    <div>
      <dt>{name}</dt>
      <dd>{value}</dd>
    </div>
  );
  return (
    <div className={layout.stack}>
      <Panel title={m.data_tracker_current_ticket()} toolbar={<TicketBadge status={progress.status} />}>
        <dl className={styles.standaloneFacts}>
          {fact(m.data_ticket_number(), progress.ticket_number)}
          {fact(m.tickets_company_code(), progress.company_code)}
          {fact(m.data_tracker_date(), formatBritishDate(progress.date))}
          {fact(m.data_tracker_expected_count(), expected === undefined ? '–' : formatNumber(expected))}
        </dl>
        <div className={layout.tightStack}>
          <div className={layout.spread}>
            <span className={typography.dim}>{m.data_tracker_progress()}</span>
            {!isOver && (
              <strong
                className={`${styles.standalonePercent} ${typography.tabular}`}
              >{`${bar.percent}%`}</strong>
            )}
          </div>
          <ProgressState progress={progress} />
        </div>
      </Panel>
      <div className={layout.cards}>
        <StatCard label={m.data_tracker_completed()} value={formatNumber(progress.done)} />
        <StatCard label={m.data_tracker_total()} value={formatNumber(progress.total)} />
        {isOver ? (
          <>
            <StatCard label={m.data_failed()} value={formatNumber(progress.failed)} />
            {progress.remaining > 0 && (
              <StatCard label={m.data_tracker_remaining()} value={formatNumber(progress.remaining)} />
            )}
            <StatCard label={m.data_tracker_completion()} value={`${bar.percent}%`} />
          </>
        ) : (
          <StatCard label={m.data_tracker_remaining()} value={formatNumber(progress.remaining)} />
        )}
      </div>
    </div>
  );
}
