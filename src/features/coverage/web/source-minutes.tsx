import type { Source } from '#features/coverage/coverage.contract.ts';
import { m } from '#shared/texts/messages.js';
import { formatNumber } from '#web/format.ts';
import './source-minutes.css';

const height = 56;
const step = 6;
const barWidth = 4;

/** Calls per minute of the last hour: bars, answered below and unanswered above, and the same as a table. */
export function SourceMinutes({ minutes }: Pick<Source, 'minutes'>) {
  const peak = Math.max(0, ...minutes.map(({ calls }) => calls));
  const sum = (key: 'calls' | 'answered') => minutes.reduce((total, minute) => total + minute[key], 0);
  const scale = (calls: number) => (peak === 0 ? 0 : (calls / peak) * height);
  return (
    <div>
      <h3>{m.sources_last_hour()}</h3>
      <svg
        className="source-minutes"
        viewBox={`0 0 ${minutes.length * step} ${height}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={m.sources_last_hour_of({
          calls: formatNumber(sum('calls')),
          answered: formatNumber(sum('answered')),
          peak: formatNumber(peak),
        })}
      >
        {minutes.map(({ minute, calls, answered }, index) => (
          <g key={minute} transform={`translate(${index * step + (step - barWidth) / 2} 0)`}>
            <rect className="idle" y={height - 1} width={barWidth} height={1} />
            <rect className="unanswered" y={height - scale(calls)} width={barWidth} height={scale(calls)} />
            <rect
              className="answered"
              y={height - scale(answered)}
              width={barWidth}
              height={scale(answered)}
            />
          </g>
        ))}
      </svg>
      <div className="row between source-minutes-foot">
        <p className="source-legend">
          <span className="answered">{m.sources_answered()}</span>
          <span className="unanswered">{m.sources_unanswered()}</span>
        </p>
      </div>
      <details className="source-minutes-table">
        <summary>{m.sources_show_table()}</summary>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard */}
        <section tabIndex={0} aria-label={m.sources_last_hour()}>
          <table>
            <thead>
              <tr>
                <th scope="col">{m.sources_minute()}</th>
                <th scope="col">{m.sources_minute_calls()}</th>
                <th scope="col">{m.sources_answered()}</th>
              </tr>
            </thead>
            <tbody>
              {minutes.map(({ minute, calls, answered }) => (
                <tr key={minute}>
                  <th scope="row">{formatMinute(minute)}</th>
                  <td>{formatNumber(calls)}</td>
                  <td>{formatNumber(answered)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </section>
      </details>
    </div>
  );
}

function formatMinute(minute: string): string {
  return new Date(minute).toLocaleTimeString('en-GB', { hour: '2-digit', minute: '2-digit' });
}
