import { m } from '#shared/texts/messages.js';
import { formatClock, formatNumber, formatTime } from '#web/format/format.ts';
import { FigureTable } from './figure-table.tsx';
import styles from './time-bars.module.css';

export type TimeBar = { from: string; values: readonly number[] };

type Props = {
  label: string;
  /** The chart's description, a sentence. */
  summary: string;
  /** The names of a bar's values, from the bottom up; the second is red. */
  series: readonly string[];
  /** One per even span of time, oldest first. */
  bars: readonly TimeBar[];
  /** Bars come every few seconds: the table shows seconds, the newest first. */
  live?: boolean;
};

const height = 56;
const step = 6;
const barWidth = 4;
const tones = [styles.accent, styles.red];
/** A short time fills only the left of the picture, so that its bars stay bars. */
const minSlots = 30;

/** Counts over time as a row of small bars, and the same as a table to be unfolded. */
export function TimeBars({ label, summary, series, bars, live = false }: Props) {
  const maxSum = Math.max(1, ...bars.map(({ values }) => sumOf(values)));
  return (
    <div>
      <svg
        className={styles.timeBars}
        viewBox={`0 0 ${Math.max(bars.length, minSlots) * step} ${height}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={summary}
      >
        {bars.map(({ from, values }, index) => (
          <g key={from} transform={`translate(${index * step + (step - barWidth) / 2} 0)`}>
            <rect className={styles.idle} y={height - 1} width={barWidth} height={1} />
            {values.map((value, level) => (
              <rect
                key={series[level]}
                className={tones[level]}
                y={height - (sumOf(values.slice(0, level + 1)) / maxSum) * height}
                width={barWidth}
                height={(value / maxSum) * height}
              />
            ))}
          </g>
        ))}
      </svg>
      {series.length > 1 && (
        <p className={styles.timeBarsLegend}>
          {series.map((name, level) => (
            <span key={name} className={tones[level]}>
              {name}
            </span>
          ))}
        </p>
      )}
      <FigureTable
        label={label}
        headers={[m.common_time(), ...series]}
        rows={(live ? bars.toReversed() : bars).map(({ from, values }) => ({
          key: from,
          cells: [(live ? formatTime : formatClock)(Date.parse(from)), ...values.map(formatNumber)],
        }))}
      />
    </div>
  );
}

function sumOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0);
}
