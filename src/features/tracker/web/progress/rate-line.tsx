import { useEffect, useState } from 'react';
import type { Progress } from '#features/tickets/tickets.contract.ts';
import { m } from '#shared/texts/messages.js';
import { formatNumber, formatTime } from '#web/format/format.ts';
import { FigureTable } from '#web/ui/chart/figure-table.tsx';
import './rate-line.css';

const kept = 60;
const height = 40;

type Reading = { at: number; rate: number };

/** Fewer readings draw no line that means anything. */
const least = 3;

/** The rate of the last polls as a line, from the third of them on; the same as a table to be unfolded. */
export function RateLine({ progress }: { progress: Progress }) {
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
