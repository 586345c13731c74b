import type { Source } from '#features/sources/sources.contract.ts';
import { m } from '#shared/texts/messages.js';
import { formatNumber } from '#web/format/format.ts';
import { TimeBars } from '#web/ui/chart/time-bars.tsx';
import { FactList } from '#web/ui/layout/fact-list.tsx';
import { outcomeName } from './outcome-names.ts';

/** Calls, latency and outcomes of a source in the last 24 hours, and its calls per minute in the last hour. */
export function SourceFigures({ source: { calls, p50_ms, p95_ms, outcomes, minutes } }: { source: Source }) {
  const counted = Object.entries(outcomeName).flatMap(([name, text]) => {
    const count = outcomes[name as keyof typeof outcomeName] ?? 0;
    return count > 0 ? [`${text()} ${formatNumber(count)}`] : [];
  });
  const sum = (key: 'calls' | 'answered') => minutes.reduce((total, minute) => total + minute[key], 0);
  return (
    <div className="stack">
      <FactList
        facts={[
          [m.sources_calls(), formatNumber(calls)],
          [m.sources_p50(), formatMilliseconds(p50_ms)],
          [m.sources_p95(), formatMilliseconds(p95_ms)],
          [m.sources_outcomes(), counted.join(', ') || m.sources_outcomes_none()],
        ]}
      />
      <div>
        <h3>{m.sources_last_hour()}</h3>
        <TimeBars
          label={m.sources_last_hour()}
          summary={m.sources_last_hour_of({
            calls: formatNumber(sum('calls')),
            answered: formatNumber(sum('answered')),
            peak: formatNumber(Math.max(0, ...minutes.map((minute) => minute.calls))),
          })}
          series={[m.sources_answered(), m.sources_unanswered()]}
          bars={minutes.map((minute) => ({
            from: minute.minute,
            values: [minute.answered, minute.calls - minute.answered],
          }))}
        />
      </div>
    </div>
  );
}

function formatMilliseconds(ms: number | null): string {
  return ms === null ? '–' : m.sources_milliseconds({ count: formatNumber(Math.round(ms)) });
}
