import { useEffect, useState } from 'react';
import type { Progress } from '#features/tickets/tickets.contract.ts';
import { m } from '#shared/texts/messages.js';
import { formatNumber } from '#web/format.ts';
import './rate-line.css';

const kept = 60;
const height = 40;

/** The rate of the last polls as a line, while a ticket is being processed; its latest value stands beside it. */
export function RateLine({ progress }: { progress: Progress }) {
  const [rates, setRates] = useState<number[]>([]);

  useEffect(() => {
    const rate = progress.rate_per_minute;
    if (rate !== null) setRates((before) => [...before, rate].slice(-kept));
  }, [progress]);

  if (progress.status !== 'Processing' || rates.length < 2) return null;
  const most = Math.max(1, ...rates);
  const points = rates
    .map(
      (rate, index) => `${(index / (rates.length - 1)) * 100},${height - (rate / most) * (height - 2) - 1}`,
    )
    .join(' ');
  return (
    <figure className="rate-line">
      <svg viewBox={`0 0 100 ${height}`} preserveAspectRatio="none" aria-hidden="true">
        <polyline points={points} />
      </svg>
      <figcaption className="dim">
        {m.data_tracker_rate_now({ rate: formatNumber(Math.round(rates.at(-1) ?? 0)) })}
      </figcaption>
    </figure>
  );
}
