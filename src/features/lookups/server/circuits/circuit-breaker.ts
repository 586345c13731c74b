import type pg from 'pg';
import { openCircuit } from '#features/sources/server/states/circuit.queries.ts';
import { blockOf, type SourceState } from '#features/sources/server/states/source-states.queries.ts';
import type { Wakeup } from '#server/concurrency/wakeup.ts';
import type { Log } from '#server/runtime/log.ts';
import type { SourceQueue } from '../queues/source-queue.ts';

/** The wait before the first probe of an opened circuit. */
const firstProbeMs = 5000;

export type SourceFailure = {
  cause: 'down' | 'auth' | 'quota';
  error: string;
};

/**
 * Stops the calls to a source that fails as a whole. A source's circuit is
 *
 * - closed: the source is asked (`state` is `up`)
 * - open: the source is not asked, and its rows wait (`down`, `auth`, `quota`; `proxies` while there is no proxy)
 * - half-open: one worker holds the probe's lease and asks about a single row (see `dispatch/prober.ts`)
 *
 * A source that was paused by hand is not asked either, in any state of its circuit.
 * @param rounds wakes the coordination when an opened circuit is stored
 */
export function createCircuitBreaker(pool: pg.Pool, log: Log, sourceQueues: SourceQueue[], rounds: Wakeup) {
  /** Sources whose circuit was opened here but is not stored yet. Their state in the database is outdated. */
  const unpublished = new Set<SourceQueue>();
  return {
    /** Opens a closed circuit. This worker stops at once, the others when they are notified. */
    open(sourceQueue: SourceQueue, { cause, error }: SourceFailure) {
      if (sourceQueue.blockedBy !== null) return;
      const { name } = sourceQueue.entry;
      log.warn({ source: name, cause, error }, 'the source failed; its rows wait until it is back');
      unpublished.add(sourceQueue);
      sourceQueue.blockedBy = cause;
      void openCircuit(pool, name, { cause, error, waitMs: firstProbeMs })
        .catch((failure: unknown) =>
          log.warn({ err: failure, source: name }, 'the failure of the source could not be stored'),
        )
        .finally(() => {
          unpublished.delete(sourceQueue);
          rounds.wake();
        });
    },
    /** Blocks and unblocks the source queues by the shared states of the sources. */
    follow(states: ReadonlyMap<string, SourceState>) {
      for (const sourceQueue of sourceQueues.filter((known) => !unpublished.has(known))) {
        const row = states.get(sourceQueue.entry.name);
        if (!row) continue;
        const blockedBy = blockOf(row);
        if (blockedBy === sourceQueue.blockedBy) continue;
        sourceQueue.blockedBy = blockedBy;
        sourceQueue.failureStreak.reset();
      }
    },
  };
}
