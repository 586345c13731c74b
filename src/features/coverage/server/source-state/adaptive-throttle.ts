import type pg from 'pg';
import { inTransaction } from '#server/db.ts';
import type { Log } from '#server/log.ts';
import type { Lane } from '../source-queues/source-queue.ts';
import type { Outcome } from '../sources/source.ts';
import { lockPace, writePace } from './pace.queries.ts';
import { createPaceWatch, nextPace, type PaceWatch } from './pace.ts';
import type { SourceState } from './source-states.queries.ts';

/** Slows a source down that answers badly, and lets it speed up again, for all workers. */
export type Pacer = {
  record(lane: Lane, outcome: Outcome): void;
  /** Learns the paces that all workers share, also one that was reduced before this worker began. */
  follow(sources: ReadonlyMap<string, Pick<SourceState, 'pace'>>): void;
};

/** The pace of a source without a limit is the highest of late; this much of it is left after a second. */
const fade = 0.95;

type Watched = { watch: PaceWatch; pace: number | null; calls: number; since: number; rate: number };

/** @param onChange called when a source's pace has changed */
export function createPacer(pool: pg.Pool, log: Log, lanes: Lane[], onChange: () => void): Pacer {
  const watched = new Map<Lane, Watched>(
    lanes
      .filter(({ entry }) => entry.remote)
      .map((lane) => [
        lane,
        { watch: createPaceWatch(), pace: null, calls: 0, since: performance.now(), rate: 0 },
      ]),
  );

  const tell = async (lane: Lane, state: Watched, calls: number, bad: number) => {
    const { name, limits } = lane.entry;
    const next = await inTransaction(pool, async (tx) => {
      const before = await lockPace(tx, name);
      if (!before) return undefined;
      const after = nextPace(before, calls, bad, limits.per_second ?? presentRate(state));
      await writePace(tx, name, after, after.pace !== before.pace);
      return after;
    });
    if (!next || next.pace === state.pace) return;
    log.info({ source: name, pace: next.pace }, 'the pace of a source has changed');
    state.pace = next.pace;
    onChange();
  };

  return {
    follow(sources) {
      for (const [{ entry }, state] of watched) state.pace = sources.get(entry.name)?.pace ?? null;
    },
    record(lane, outcome) {
      const state = watched.get(lane);
      // A source that cannot be asked at all is not slowed down but waited for.
      if (!state || outcome.is === 'unreachable' || outcome.is === 'auth' || outcome.is === 'quota') return;
      const now = performance.now();
      state.calls += 1;
      if (now - state.since >= 1000) {
        const seconds = (now - state.since) / 1000;
        state.rate = Math.max(state.calls / seconds, state.rate * fade ** seconds);
        [state.calls, state.since] = [0, now];
      }
      const reduced = state.pace !== null;
      const counts = state.watch.record(outcome.is === 'retry' || outcome.is === 'throttled', reduced, now);
      if (!counts) return;
      if (!reduced) slowDown(lane, state);
      void tell(lane, state, counts.calls, counts.bad).catch((error: unknown) =>
        log.warn({ err: error }, 'the pace of a source could not be told'),
      );
    },
  };
}

function presentRate({ rate, calls }: Watched): number {
  return Math.max(2, Math.round(rate), calls);
}

/** Halves what this worker does at once, before all workers have agreed on it. */
function slowDown(lane: Lane, state: Watched): void {
  const { share } = lane.gate;
  const present = share.perSecond ?? presentRate(state);
  lane.gate.setShare({ ...share, perSecond: Math.max(1, Math.floor(present / 2)) });
}
