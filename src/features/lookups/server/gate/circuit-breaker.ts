import type pg from 'pg';
import { openCircuit } from '#features/sources/server/states/circuit.queries.ts';
import { blockOf, type SourceState } from '#features/sources/server/states/source-states.queries.ts';
import type { Wakeup } from '#server/concurrency/wakeup.ts';
import type { Log } from '#server/runtime/log.ts';
import type { SourceFailure, SourceGate } from './source-gate.ts';

/** The wait before the first probe of an opened circuit. */
const firstProbeMs = 5000;

type GatedSource = { entry: { name: string }; gate: Pick<SourceGate, 'follow'> };

/**
 * Shares with the other workers which sources fail as a whole. A source's circuit is
 *
 * - closed: the source is asked (`state` is `up`)
 * - open: the source is not asked, and its rows wait (`down`, `auth`, `quota`; `proxies` while there is no proxy)
 * - half-open: one worker holds the probe's lease and asks about a single row (see `dispatch/prober.ts`)
 *
 * A source that was paused by hand is not asked either, in any state of its circuit.
 * @param rounds wakes the coordination when an opened circuit is stored
 */
export function createCircuitBreaker(pool: pg.Pool, log: Log, gated: GatedSource[], rounds: Wakeup) {
  /** Sources whose circuit was opened here but is not stored yet. Their state in the database is outdated. */
  const unpublished = new Set<string>();
  return {
    /** Opens the circuit of a source whose gate was closed here. The other workers stop when they are notified. */
    open(name: string, { cause, error }: SourceFailure) {
      log.warn({ source: name, cause, error }, 'the source failed; its rows wait until it is back');
      unpublished.add(name);
      void openCircuit(pool, name, { cause, error, waitMs: firstProbeMs })
        .catch((failure: unknown) =>
          log.warn({ err: failure, source: name }, 'the failure of the source could not be stored'),
        )
        .finally(() => {
          unpublished.delete(name);
          rounds.wake();
        });
    },
    /** Closes and opens the gates by the shared states of the sources. */
    follow(states: ReadonlyMap<string, SourceState>) {
      for (const { entry, gate } of gated) {
        const row = states.get(entry.name);
        if (row && !unpublished.has(entry.name)) gate.follow(blockOf(row));
      }
    },
  };
}
