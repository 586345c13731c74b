import type pg from 'pg';
import type { Log } from '#server/log.ts';
import type { SourceQueue } from '../source-queues/source-queue.ts';
import { openCircuit } from './circuit.queries.ts';
import type { SourceState } from './source-states.queries.ts';

/** When the first probe goes out after a circuit was opened. */
const firstProbeMs = 5000;

/**
 * Stops the calls to a source that fails as a whole. A source's circuit is
 *
 * - closed: the source is asked (`state` is `up`)
 * - open: the source is not asked, and its rows wait (`down`, `auth`, `quota`; `proxies` while there is no proxy)
 * - half-open: one worker holds the probe's lease and asks about a single row (see `dispatch/prober.ts`)
 *
 * A source that was paused by hand is not asked either, whatever its circuit is.
 */
export type CircuitBreaker = {
  /** Opens the circuit of a source that failed a call: in this worker at once, in the others when they hear of it. */
  open(sourceQueue: SourceQueue, cause: 'down' | 'auth' | 'quota', error: string): void;
  /** Blocks and unblocks the source queues as all workers know the sources. @returns whether any of them changed */
  follow(states: ReadonlyMap<string, SourceState>): boolean;
};

/** @param onPublished called when the database knows of a circuit that was opened here */
export function createCircuitBreaker(
  pool: pg.Pool,
  log: Log,
  sourceQueues: SourceQueue[],
  onPublished: () => void,
): CircuitBreaker {
  /** Opened here, and not yet in the database: what the database says of them is out of date. */
  const unpublished = new Set<SourceQueue>();
  return {
    open(sourceQueue, cause, error) {
      if (sourceQueue.blockedBy !== null) return;
      const { name } = sourceQueue.entry;
      log.warn({ source: name, cause, error }, 'the source failed; its rows wait until it is back');
      unpublished.add(sourceQueue);
      sourceQueue.blockedBy = cause;
      void openCircuit(pool, name, cause, error, firstProbeMs)
        .catch((failure: unknown) =>
          log.warn({ err: failure, source: name }, 'the failure of the source could not be stored'),
        )
        .finally(() => {
          unpublished.delete(sourceQueue);
          onPublished();
        });
    },
    follow(states) {
      let changed = false;
      for (const sourceQueue of sourceQueues.filter((known) => !unpublished.has(known))) {
        const row = states.get(sourceQueue.entry.name);
        if (!row) continue;
        const blockedBy = row.paused ? 'paused' : row.state === 'up' ? null : row.state;
        changed ||= blockedBy !== sourceQueue.blockedBy;
        sourceQueue.blockedBy = blockedBy;
      }
      return changed;
    },
  };
}
