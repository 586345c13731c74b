import { Failures } from '#features/results/web/ticket/failures.view.tsx';
import type { Progress } from '#features/tickets/tickets.contract.ts';
import { WaitingLine } from '#features/tickets/web/page/waiting.view.tsx';
import { barOf } from '#features/tickets/web/ticket-bar.view.ts';
import { m } from '#shared/texts/messages.js';
import { formatNumber } from '#web/format/format.ts';
import { ProgressBar } from '#web/ui/chart/progress-bar.tsx';
import { Banner } from '#web/ui/feedback/banner.tsx';
import { Pace } from './pace.tsx';

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
      <Banner tone="success">{m.tickets_all_processed({ count: formatNumber(total) })}</Banner>
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
    <p className="dim progress-pace">
      <Pace progress={progress} />
    </p>
  );
}
