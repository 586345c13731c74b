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
  /**
   * When circuits that were opened here were stored (`performance.now`); Infinity until then. States that were read before
   * are outdated.
   */
  const storedAt = new Map<string, number>();
  return {
    /** Opens the circuit of a source whose gate was closed here. The other workers stop when they are notified. */
    open(name: string, { cause, error }: SourceFailure) {
      log.warn({ source: name, cause, error }, 'the source failed; its rows wait until it is back');
      storedAt.set(name, Number.POSITIVE_INFINITY);
      void openCircuit(pool, name, { cause, error, waitMs: firstProbeMs })
        .catch((failure: unknown) =>
          log.warn({ err: failure, source: name }, 'the failure of the source could not be stored'),
        )
        .finally(() => {
          storedAt.set(name, performance.now());
          rounds.wake();
        });
    },
    /** Closes and opens the gates by the shared states of the sources, which a round that began at `began` has read. */
    follow(states: ReadonlyMap<string, SourceState>, began: number) {
      for (const { entry, gate } of gated) {
        const row = states.get(entry.name);
        if (row && began > (storedAt.get(entry.name) ?? 0)) gate.follow(blockOf(row));
      }
    },
  };
}
