import type pg from 'pg';
import type { Outcome } from '#features/sources/server/configuration/source.ts';
import type { SourceEntry } from '#features/sources/server/configuration/source-kind.ts';
import type { SourceState } from '#features/sources/server/states/source-states.queries.ts';
import type { Wakeup } from '#server/concurrency/wakeup.ts';
import { inTransaction } from '#server/db/db.ts';
import type { Log } from '#server/runtime/log.ts';
import { lockPace, writePace } from './pace.queries.ts';
import { createPaceCounter, nextPace, type PaceCounter } from './pace.ts';

/** The factor per second by which the recent peak rate decays. A source without a limit is halved from that peak. */
const decay = 0.95;

type Paced = { entry: Pick<SourceEntry, 'name' | 'limits' | 'remote'> };
type Tracked = { counter: PaceCounter; pace: number | null; calls: number; since: number; rate: number };

/**
 * Reduces the pace of a source whose calls fail, and raises it again when they succeed. All workers share the pace.
 * @param rounds wakes the coordination after a change of pace
 */
export function createAdaptiveThrottle(pool: pg.Pool, log: Log, sourceQueues: Paced[], rounds: Wakeup) {
  const tracked = new Map<Paced, Tracked>(
    sourceQueues
      .filter(({ entry }) => entry.remote)
      .map((sourceQueue) => [
        sourceQueue,
        { counter: createPaceCounter(), pace: null, calls: 0, since: performance.now(), rate: 0 },
      ]),
  );

  const publish = async (sourceQueue: Paced, state: Tracked, calls: number, bad: number) => {
    const { name, limits } = sourceQueue.entry;
    const next = await inTransaction(pool, async (tx) => {
      const before = await lockPace.first(tx, { name });
      if (!before) return undefined;
      const after = nextPace(before, calls, bad, limits.per_second ?? currentRate(state));
      await writePace(tx, name, after, after.pace !== before.pace);
      return after;
    });
    if (!next || next.pace === state.pace) return;
    log.info({ source: name, pace: next.pace }, 'the pace of the source has changed');
    state.pace = next.pace;
    rounds.wake();
  };

  return {
    /** Adopts the shared paces. */
    follow(states: ReadonlyMap<string, Pick<SourceState, 'pace'>>) {
      for (const [{ entry }, state] of tracked) state.pace = states.get(entry.name)?.pace ?? null;
    },
    record(sourceQueue: Paced, outcome: Outcome) {
      const state = tracked.get(sourceQueue);
      // These open the source's circuit instead.
      if (!state || outcome.is === 'unreachable' || outcome.is === 'auth' || outcome.is === 'quota') return;
      const now = performance.now();
      state.calls += 1;
      if (now - state.since >= 1000) {
        const seconds = (now - state.since) / 1000;
        state.rate = Math.max(state.calls / seconds, state.rate * decay ** seconds);
        [state.calls, state.since] = [0, now];
      }
      const reduced = state.pace !== null;
      const counts = state.counter.record(outcome.is === 'retry' || outcome.is === 'throttled', reduced, now);
      if (!counts) return;
      void publish(sourceQueue, state, counts.calls, counts.bad).catch((error: unknown) =>
        log.warn({ err: error }, 'the pace of the source could not be stored'),
      );
    },
  };
}

function currentRate({ rate, calls }: Tracked): number {
  return Math.max(2, Math.round(rate), calls);
}
