import type { Source } from '#features/sources/sources.contract.ts';
import { m } from '#shared/texts/messages.js';
import { formatNumber } from '#web/format/format.ts';
import { outcomeName } from './outcome-names.ts';
import { SourceMinutes } from './source-minutes.tsx';

/** How a source has done: calls, latency and outcomes of the last 24 hours, calls per minute of the last hour. */
export function SourceFigures({ source }: { source: Source }) {
  const outcomes = Object.entries(outcomeName).flatMap(([name, text]) => {
    const count = source.outcomes[name as keyof typeof outcomeName] ?? 0;
    return count > 0 ? [{ name, text: text(), count }] : [];
  });
  return (
    <div className="stack">
      <dl className="source-figures">
        <div>
          <dt>{m.sources_calls()}</dt>
          <dd>{formatNumber(source.calls)}</dd>
        </div>
        <div>
          <dt>{m.sources_p50()}</dt>
          <dd>{formatMilliseconds(source.p50_ms)}</dd>
        </div>
        <div>
          <dt>{m.sources_p95()}</dt>
          <dd>{formatMilliseconds(source.p95_ms)}</dd>
        </div>
      </dl>
      <div>
        <h3>{m.sources_outcomes()}</h3>
        {outcomes.length === 0 ? (
          <p className="dim">{m.sources_outcomes_none()}</p>
        ) : (
          <ul className="source-outcomes">
            {outcomes.map(({ name, text, count }) => (
              <li key={name}>
                <span className="dim">{text}</span> {formatNumber(count)}
              </li>
            ))}
          </ul>
        )}
      </div>
      <SourceMinutes minutes={source.minutes} />
    </div>
  );
}

function formatMilliseconds(ms: number | null): string {
  return ms === null ? '–' : m.sources_milliseconds({ count: formatNumber(Math.round(ms)) });
}
