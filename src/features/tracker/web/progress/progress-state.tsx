import { useEffect, useState } from 'react';
import { Failures } from '#features/results/web/ticket/failures.view.tsx';
import type { Progress } from '#features/tickets/tickets.contract.ts';
import { WaitingLine } from '#features/tickets/web/page/waiting.view.tsx';
import { barOf } from '#features/tickets/web/ticket-badge.view.tsx';
import { m } from '#shared/texts/messages.js';
import { formatDuration, formatNumber, formatUpcoming } from '#web/format/format.ts';
import typography from '#web/styles/typography.module.css';
import { ProgressBar } from '#web/ui/chart/progress-bar.tsx';
import { Banner } from '#web/ui/feedback/banner.tsx';
import { useIsOutdated } from '#web/ui/feedback/read-state.tsx';

export function ProgressState({ progress }: { progress: Progress }) {
  return (
    <>
      <ProgressBar label={m.data_tracker_progress()} {...barOf(progress)} />
      <ProgressOutcome progress={progress} />
      <Failures progress={progress} />
    </>
  );
}

function ProgressOutcome({ progress }: { progress: Progress }) {
  const { status, done, total } = progress;
  if (status === 'Cancelled') return <Banner tone="warning">{m.tickets_processing_was_cancelled()}</Banner>;
  if (status === 'Completed') {
    return done < total ? (
      <Banner tone="warning">{m.tickets_items_failed({ count: formatNumber(total - done) })}</Banner>
    ) : (
      <Banner tone="success">{m.tickets_all_processed({ count: total, number: formatNumber(total) })}</Banner>
    );
  }
  if (progress.waiting_reason !== null) {
    return (
      <Banner tone="warning">
        <WaitingLine ticket={progress} />
      </Banner>
    );
  }
  return (
    <p className={typography.dim} style={{ minHeight: 20 }}>
      <Pace progress={progress} />
    </p>
  );
}

/** Rows come in flushes: a ticket moves as long as none is missing for this long, or for three rows at its pace. */
const stillMs = 15_000;
const rowsMissed = 3;

/** A ticket's rate, its remaining time and the time of its end; nothing while no row is finished. */
export function Pace({ progress }: { progress: Progress }) {
  const isOutdated = useIsOutdated();
  const finished = progress.done + progress.failed;
  const rate = progress.rate_per_minute;
  /** The finished rows when progress stopped. */
  const [stoodAt, setStoodAt] = useState<number | null>(null);
  const wait = Math.max(stillMs, rate ? (rowsMissed * 60_000) / rate : 0);

  useEffect(() => {
    const timer = setTimeout(() => setStoodAt(finished), wait);
    return () => clearTimeout(timer);
  }, [finished, wait]);

  return stoodAt === finished || isOutdated ? null : describePace(progress);
}

function describePace({ rate_per_minute: rate, eta_seconds: left }: Progress): string {
  return [
    rate !== null && m.tickets_rate({ rate: formatNumber(Math.round(rate)) }),
    left !== null && m.tickets_time_left({ duration: formatDuration(left) }),
    left !== null && m.data_tracker_finish({ time: formatUpcoming(Date.now() + left * 1000) }),
  ]
    .filter(Boolean)
    .join(' · ');
}
