import { type KeyboardEvent, useState } from 'react';
import { Link } from 'react-router';
import { m } from '#shared/texts/messages.js';
import { formatNumber } from '#web/format/format.ts';
import styles from './bar-chart.module.css';
import { findTicks } from './chart-ticks.ts';
import { FigureTable } from './figure-table.tsx';

export type Bar = {
  label: string;
  value: number;
  /** The value in words. */
  text: string;
  /** The badge colour of the counted state; by default the accent colour. */
  tone?: 'green' | 'grey' | 'yellow' | 'red';
  to?: string;
};

type Props = {
  label: string;
  bars: readonly Bar[];
  /** `columns` for time, `rows` for names. */
  direction: 'columns' | 'rows';
  nameHeader: string;
  valueHeader: string;
};

const maxNames = 6;

/** Bars that show their values on hover or by arrow keys, with a table of the same figures. */
export function BarChart({ label, bars, direction, nameHeader, valueHeader }: Props) {
  const [at, setAt] = useState(0);
  const ticks = findTicks(Math.max(...bars.map(({ value }) => value)));
  const maxTick = ticks.at(-1) ?? 1;
  const share = ({ value }: Bar) => `${(value / maxTick) * 100}%`;
  const every = Math.ceil(bars.length / maxNames);

  const go = (event: KeyboardEvent<HTMLElement>) => {
    const steps: Record<string, number> = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 };
    const step = steps[event.key];
    const next = at + (step ?? 0);
    if (step === undefined || next < 0 || next >= bars.length) return;
    event.preventDefault();
    setAt(next);
    event.currentTarget.querySelectorAll<HTMLElement>('[tabindex]')[next]?.focus();
  };

  return (
    <figure aria-label={label}>
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset would be one of a form */}
      <div
        className={`${styles.bars} ${styles[direction]}`}
        role="group"
        aria-label={m.common_chart_hint()}
        onKeyDown={go}
      >
        {direction === 'columns' &&
          ticks.slice(1).map((tick) => (
            <span
              key={tick}
              className={styles.barTick}
              style={{ bottom: `${(tick / maxTick) * 100}%` }}
              aria-hidden="true"
            >
              {formatNumber(tick)}
            </span>
          ))}
        {bars.map((bar, index) => {
          const fill = {
            [direction === 'rows' ? 'width' : 'height']: share(bar),
            background: bar.tone && `var(--${bar.tone}-fill)`,
          };
          const content = (
            <>
              {direction === 'rows' && <span className={styles.barLabel}>{bar.label}</span>}
              {/* The space separates label and value, as in the name of the bar. */ ' '}
              <span className={styles.barTrack}>
                <span className={styles.barFill} style={fill} />
              </span>
              {direction === 'rows' && <span className={styles.barValue}>{bar.text}</span>}
              {direction === 'columns' && (
                <span className={styles.barTip}>{`${bar.label}: ${bar.text}`}</span>
              )}
            </>
          );
          const shared = {
            className: styles.bar,
            tabIndex: index === at ? 0 : -1,
            'aria-label': `${bar.label}: ${bar.text}`,
            onFocus: () => setAt(index),
          };
          return bar.to === undefined ? (
            <div key={bar.label} role="img" {...shared}>
              {content}
            </div>
          ) : (
            <Link key={bar.label} to={bar.to} {...shared}>
              {content}
            </Link>
          );
        })}
      </div>
      {direction === 'columns' && (
        <div className={styles.barAxis} aria-hidden="true">
          {bars.map((bar, index) => (
            <span key={bar.label} className={index % (2 * every) === 0 ? undefined : styles.barAxisBetween}>
              {index % every === 0 ? bar.label : ''}
            </span>
          ))}
        </div>
      )}
      <FigureTable
        label={label}
        headers={[nameHeader, valueHeader]}
        rows={bars.map((bar) => ({ key: bar.label, cells: [bar.label, bar.text] }))}
      />
    </figure>
  );
}
