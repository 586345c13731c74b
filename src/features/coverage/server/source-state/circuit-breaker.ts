import type pg from 'pg';
import type { Log } from '#server/log.ts';
import type { Lane } from '../source-queues/source-queue.ts';
import { reportTrouble } from './circuit.queries.ts';
import type { SourceState } from './source-states.queries.ts';

/** When the first probe of a source in trouble is due. */
const firstProbeMs = 5000;

/** Shuts and opens the lanes' gates by what is known of their sources. */
export type Troubles = {
  /** A call found its source in trouble: nothing more is asked, here at once and everywhere once all know. */
  report(lane: Lane, trouble: 'down' | 'auth' | 'quota', error: string): void;
  /** Sets the gates by what all workers know; answers whether any has changed. */
  apply(sources: ReadonlyMap<string, SourceState>): boolean;
};

/** @param onTold called when all workers know of a trouble that was found here */
export function createTroubles(pool: pg.Pool, log: Log, lanes: Lane[], onTold: () => void): Troubles {
  /** Lanes whose trouble is being told: what the database says of them is older than what is known here. */
  const untold = new Set<Lane>();
  return {
    report(lane, trouble, error) {
      if (lane.gate.reason !== null) return;
      log.warn({ source: lane.entry.name, trouble, error }, 'a source is in trouble; its rows wait');
      untold.add(lane);
      lane.gate.shut(trouble);
      void reportTrouble(pool, lane.entry.name, trouble, error, firstProbeMs)
        .catch((failure: unknown) => log.warn({ err: failure }, 'the trouble could not be told'))
        .finally(() => {
          untold.delete(lane);
          onTold();
        });
    },
    apply(sources) {
      let changed = false;
      for (const lane of lanes.filter((known) => !untold.has(known))) {
        const row = sources.get(lane.entry.name);
        if (!row) continue;
        const reason = row.paused ? 'paused' : row.state === 'up' ? null : row.state;
        changed ||= reason !== lane.gate.reason;
        lane.gate.shut(reason);
      }
      return changed;
    },
  };
}
