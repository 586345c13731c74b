import { FigureTable } from './figure-table.tsx';
import './bar-chart.css';

export type Bar = { label: string; value: number; shown: string };

type Props = {
  /** Names the picture and its table. */
  label: string;
  bars: readonly Bar[];
  /** `columns` for time, `rows` for names. */
  direction: 'columns' | 'rows';
  nameHeader: string;
  valueHeader: string;
};

/** Bars to look at, and the same figures as a table to open beside them. */
export function BarChart({ label, bars, direction, nameHeader, valueHeader }: Props) {
  const most = Math.max(1, ...bars.map((bar) => bar.value));
  const highest = bars.find((bar) => bar.value === most);
  const share = (bar: Bar) => `${(bar.value / most) * 100}%`;
  return (
    <figure className="bar-chart" aria-label={label}>
      <div className={`bars ${direction}`} aria-hidden="true">
        {direction === 'columns' && <span className="bar-most">{highest?.shown}</span>}
        {bars.map((bar) => (
          <div key={bar.label} className="bar" title={`${bar.label}: ${bar.shown}`}>
            {direction === 'rows' && <span className="bar-label">{bar.label}</span>}
            <span className="bar-track">
              <span
                className="bar-fill"
                style={direction === 'rows' ? { width: share(bar) } : { height: share(bar) }}
              />
            </span>
            {direction === 'rows' && <span className="bar-value">{bar.shown}</span>}
          </div>
        ))}
      </div>
      {direction === 'columns' && (
        <div className="bar-axis" aria-hidden="true">
          <span>{bars[0]?.label}</span>
          <span>{bars.at(-1)?.label}</span>
        </div>
      )}
      <FigureTable
        label={label}
        headers={[nameHeader, valueHeader]}
        rows={bars.map((bar) => ({ key: bar.label, cells: [bar.label, bar.shown] }))}
      />
    </figure>
  );
}
