import { Button } from '@mantine/core';
import { IconBell } from '@tabler/icons-react';
import { type ReactNode, useEffect, useState } from 'react';
import { Link } from 'react-router';
import type { Progress } from '#features/tickets/tickets.contract.ts';
import { barOf, TicketBadge } from '#features/tickets/web/ticket-badge.view.tsx';
import { TicketName } from '#features/tickets/web/ticket-name.view.tsx';
import { m } from '#shared/texts/messages.js';
import { paths } from '#web/address/paths.ts';
import { askToNotify, canAskToNotify } from '#web/browser/notify.ts';
import { formatNumber } from '#web/format/format.ts';
import layout from '#web/styles/layout.module.css';
import typography from '#web/styles/typography.module.css';
import { type TimeBar, TimeBars } from '#web/ui/chart/time-bars.tsx';
import { Panel } from '#web/ui/layout/panel.tsx';
import { StatCard } from '#web/ui/layout/stat-card.tsx';
import { passFocusOn } from '#web/ui/overlay/move-focus.ts';
import { ProgressState } from './progress-state.tsx';

type Props = {
  progress: Progress;
  children?: ReactNode;
};

export function ProgressSummary({ progress, children }: Props) {
  const bar = barOf(progress);
  return (
    <div className={layout.stack}>
      <Panel
        title={<TicketName ticket={progress} />}
        note={<span className={typography.dim}>{progress.uploaded_by?.name}</span>}
        toolbar={
          <>
            {progress.status === 'Processing' && <NotifyButton />}
            <TicketBadge status={progress.status} />
            <Link to={paths.standaloneOf(progress.ticket_number)}>{m.data_tracker_open_standalone()}</Link>
          </>
        }
      >
        <div className={layout.tightStack}>
          <span className={typography.dim}>{m.data_tracker_progress()}</span>
          <ProgressState progress={progress} />
          <RateBars key={progress.ticket_number} progress={progress} />
        </div>
      </Panel>
      <div className={layout.cards}>
        <StatCard label={m.data_tracker_completed()} value={formatNumber(progress.done)} />
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
      ref={passFocusOn}
      size="compact-sm"
      variant="default"
      leftSection={<IconBell size={14} aria-hidden="true" />}
      onClick={() => askToNotify().finally(() => setIsOpen(canAskToNotify()))}
    >
      {m.data_tracker_notify()}
    </Button>
  );
}

const maxReadings = 60;
/** With fewer readings no chart is drawn. */
const minReadings = 3;

/** The rates of the last polls, from the third of them on. */
function RateBars({ progress }: { progress: Progress }) {
  const [readings, setReadings] = useState<TimeBar[]>([]);

  useEffect(() => {
    const rate = progress.rate_per_minute;
    if (rate === null) return;
    const reading = { from: new Date().toISOString(), values: [Math.round(rate)] };
    setReadings((before) => [...before, reading].slice(-maxReadings));
  }, [progress]);

  if (readings.length < minReadings) return null;
  const count = readings.at(-1)?.values[0] ?? 0;
  const rateNow = m.data_tracker_rate_now({ count, rate: formatNumber(count) });
  return (
    <div>
      <p className={typography.dim} aria-hidden="true">
        {rateNow}
      </p>
      <TimeBars
        label={m.data_tracker_rate()}
        summary={rateNow}
        series={[m.data_tracker_rate()]}
        bars={readings}
        live
      />
    </div>
  );
}
