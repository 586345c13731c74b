import { Button } from '@mantine/core';
import { IconBell } from '@tabler/icons-react';
import { type ReactNode, useEffect, useState } from 'react';
import { Link } from 'react-router';
import type { Progress } from '#features/tickets/tickets.contract.ts';
import { barOf, TicketBadge } from '#features/tickets/web/ticket-badge.view.tsx';
import { m } from '#shared/texts/messages.js';
import { paths } from '#web/address/paths.ts';
import { askToNotify, canAskToNotify } from '#web/browser/notify.ts';
import { describeCounts, formatNumber, formatTime } from '#web/format/format.ts';
import { FigureTable } from '#web/ui/chart/figure-table.tsx';
import { Panel } from '#web/ui/layout/panel.tsx';
import { StatCard } from '#web/ui/layout/stat-card.tsx';
import { ProgressState } from './progress-state.tsx';
import './progress-summary.css';
import './rate-line.css';

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

const kept = 60;
const height = 40;

type Reading = { at: number; rate: number };

/** Fewer readings draw no line that means anything. */
const least = 3;

/** The rate of the last polls as a line, from the third of them on; the same as a table to be unfolded. */
function RateLine({ progress }: { progress: Progress }) {
  const [readings, setReadings] = useState<Reading[]>([]);

  useEffect(() => {
    const rate = progress.rate_per_minute;
    if (rate !== null) setReadings((before) => [...before, { at: Date.now(), rate }].slice(-kept));
  }, [progress]);

  if (readings.length < least) return null;
  return (
    <figure className="rate-line">
      <svg viewBox={`0 0 100 ${height}`} preserveAspectRatio="none" aria-hidden="true">
        <polyline points={pointsOf(readings)} />
      </svg>
      <figcaption className="dim">
        {m.data_tracker_rate_now({ rate: shown(readings.at(-1)?.rate ?? 0) })}
      </figcaption>
      <FigureTable
        label={m.data_tracker_rate()}
        headers={[m.common_time(), m.data_tracker_rate()]}
        rows={readings
          .toReversed()
          .map(({ at, rate }) => ({ key: at, cells: [formatTime(at), shown(rate)] }))}
      />
    </figure>
  );
}

function pointsOf(readings: Reading[]): string {
  const most = Math.max(1, ...readings.map(({ rate }) => rate));
  return readings
    .map(({ rate }, index) => {
      const x = (index / (readings.length - 1)) * 100;
      return `${x},${height - (rate / most) * (height - 2) - 1}`;
    })
    .join(' ');
}

function shown(rate: number): string {
  return formatNumber(Math.round(rate));
}
