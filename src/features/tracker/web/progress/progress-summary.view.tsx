import { Button } from '@mantine/core';
import { IconBell } from '@tabler/icons-react';
import { type ReactNode, useState } from 'react';
import { Link } from 'react-router';
import type { Progress } from '#features/tickets/tickets.contract.ts';
import { TicketBadge } from '#features/tickets/web/ticket-badge.view.tsx';
import { barOf } from '#features/tickets/web/ticket-bar.view.ts';
import { m } from '#shared/texts/messages.js';
import { paths } from '#web/address/paths.ts';
import { askToNotify, canAskToNotify } from '#web/browser/notify.ts';
import { describeCounts } from '#web/format/describe-counts.ts';
import { formatNumber } from '#web/format/format.ts';
import { Panel } from '#web/ui/layout/panel.tsx';
import { StatCard } from '#web/ui/layout/stat-card.tsx';
import { ProgressState } from './progress-state.tsx';
import { RateLine } from './rate-line.tsx';
import './progress-summary.css';

type Props = {
  progress: Progress;
  children?: ReactNode;
};

export function ProgressSummary({ progress, children }: Props) {
  const bar = barOf(progress);
  return (
    <div className="stack">
      <Panel
        title={m.tickets_number({ number: progress.ticket_number })}
        toolbar={
          <>
            {progress.status === 'Processing' && <NotifyButton />}
            <TicketBadge status={progress.status} />
            <Link to={paths.standaloneOf(progress.ticket_number)}>{m.data_tracker_open_standalone()}</Link>
          </>
        }
      >
        <div className="stack tight progress-summary">
          <div className="row between">
            <span className="dim">{m.data_tracker_progress()}</span>
            <span className="tabular">{describeCounts(progress)}</span>
            <strong className="tabular">{`${bar.percent}%`}</strong>
          </div>
          <ProgressState progress={progress} />
          <RateLine key={progress.ticket_number} progress={progress} />
        </div>
      </Panel>
      <div className="cards">
        <StatCard
          label={m.data_tracker_completed()}
          value={formatNumber(progress.done)}
          hint={
            progress.failed > 0
              ? m.data_tracker_failed_count({ count: formatNumber(progress.failed) })
              : undefined
          }
        />
        <StatCard label={m.data_tracker_total_rows()} value={formatNumber(progress.total)} />
        <StatCard label={m.data_tracker_completion()} value={`${bar.percent}%`} />
        {children}
      </div>
    </div>
  );
}

/** Offers a browser notification for the end of a ticket, until the user has allowed or refused it. */
function NotifyButton() {
  const [isOpen, setIsOpen] = useState(canAskToNotify);
  if (!isOpen) return null;
  return (
    <Button
      size="compact-sm"
      variant="default"
      leftSection={<IconBell size={14} aria-hidden="true" />}
      onClick={() => askToNotify().finally(() => setIsOpen(canAskToNotify()))}
    >
      {m.data_tracker_notify()}
    </Button>
  );
}
