import type { Source } from '#features/sources/sources.contract.ts';
import { m } from '#shared/texts/messages.js';
import { formatNumber } from '#web/format/format.ts';
import { TimeBars } from '#web/ui/chart/time-bars.tsx';

/** Calls of each minute of the last hour, answered and not. */
export function SourceMinutes({ minutes }: Pick<Source, 'minutes'>) {
  const sum = (key: 'calls' | 'answered') => minutes.reduce((total, minute) => total + minute[key], 0);
  return (
    <div>
      <h3>{m.sources_last_hour()}</h3>
      <TimeBars
        label={m.sources_last_hour()}
        summary={m.sources_last_hour_of({
          calls: formatNumber(sum('calls')),
          answered: formatNumber(sum('answered')),
          peak: formatNumber(Math.max(0, ...minutes.map(({ calls }) => calls))),
        })}
        series={[m.sources_answered(), m.sources_unanswered()]}
        bars={minutes.map(({ minute, calls, answered }) => ({
          from: minute,
          values: [answered, calls - answered],
        }))}
      />
    </div>
  );
}
