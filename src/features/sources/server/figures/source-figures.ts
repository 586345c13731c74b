import type { OutcomeName, Source } from '#features/sources/sources.contract.ts';
import type { SourceMinute } from './call-counts.queries.ts';
import { percentile } from './call-counts.ts';

type Figures = Pick<Source, 'calls' | 'outcomes' | 'p50_ms' | 'p95_ms' | 'minutes'>;

/** The outcomes in which a source said something about the device. */
const answers: OutcomeName[] = ['found', 'not_found', 'invalid', 'pending'];
const shownMinutes = 60;
const minuteMs = 60_000;

/** Adds up one source's minutes of a day. Lists every minute of the last hour, also those without calls. */
export function addUpFigures(minutes: SourceMinute[], now: Date): Figures {
  const outcomes: Figures['outcomes'] = {};
  const latencies: number[] = [];
  for (const minute of minutes) {
    for (const [name, count] of Object.entries(minute.outcomes)) {
      outcomes[name as OutcomeName] = (outcomes[name as OutcomeName] ?? 0) + count;
    }
    for (const [bucket, count] of minute.latencies.entries())
      latencies[bucket] = (latencies[bucket] ?? 0) + count;
  }
  const byMinute = new Map(minutes.map((minute) => [minute.minute.getTime(), minute]));
  const last = Math.floor(now.getTime() / minuteMs) * minuteMs;
  return {
    calls: minutes.reduce((sum, { calls }) => sum + calls, 0),
    outcomes,
    p50_ms: percentile(latencies, 0.5),
    p95_ms: percentile(latencies, 0.95),
    minutes: Array.from({ length: shownMinutes }, (_, index) => {
      const instant = last - (shownMinutes - 1 - index) * minuteMs;
      const minute = byMinute.get(instant);
      return {
        minute: new Date(instant).toISOString(),
        calls: minute?.calls ?? 0,
        answered: answers.reduce((sum, name) => sum + (minute?.outcomes[name] ?? 0), 0),
      };
    }),
  };
}
