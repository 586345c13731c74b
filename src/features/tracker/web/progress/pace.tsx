import { useEffect, useState } from 'react';
import type { Progress } from '#features/tickets/tickets.contract.ts';
import { m } from '#shared/texts/messages.js';
import { formatDuration, formatNumber, formatUpcoming } from '#web/format/format.ts';
import { useIsOutdated } from '#web/ui/feedback/read-state.tsx';

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
