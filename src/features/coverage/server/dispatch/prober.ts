import type pg from 'pg';
import { inTransaction } from '#server/db.ts';
import type { Log } from '#server/log.ts';
import type { Ledger } from '../fetch/batch-tracker.ts';
import type { Feeder } from '../fetch/job-fetcher.ts';
import { claimWaitingJob } from '../jobs/waiting-jobs.queries.ts';
import type { Lane } from '../source-queues/source-queue.ts';
import { leaseProbe, postponeProbe, renewProbe } from '../source-state/circuit.queries.ts';
import { openSource } from '../source-state/close-circuit.ts';
import type { SourceState } from '../source-state/source-states.queries.ts';
import type { Outcome } from '../sources/source.ts';
import type { Writer } from '../write/result-writer.ts';
import { pauseMs } from './backoff.ts';
import type { Dispatcher } from './dispatcher.ts';

/** How often a source that cannot be reached is tried. */
const downMs = 5000;
/** When it is looked for a waiting row again where there was none. */
const nobodyMs = 1000;
const renewMs = 10_000;

/** Sends the probes of sources in trouble: one worker each time, with a row that waits for the source. */
export type Prober = {
  /** Starts the probes that are due. */
  check(sources: ReadonlyMap<string, SourceState>, now: Date, worker: string): void;
  /** Resolves when no probe is under way. */
  settle(): Promise<void>;
};

export type ProberParts = {
  pool: pg.Pool;
  log: Log;
  lanes: Lane[];
  ledger: Pick<Ledger, 'takeParked'>;
  dispatcher: Dispatcher;
  feeder: Pick<Feeder, 'takeForProbe'>;
  writer: Pick<Writer, 'flush'>;
};

export function createProber({ pool, log, lanes, ledger, dispatcher, feeder, writer }: ProberParts): Prober {
  const running = new Map<Lane, Promise<void>>();

  const takeFromQueue = async (lane: Lane) => {
    const job = await claimWaitingJob(pool, lane.entry.name);
    return job && feeder.takeForProbe(job, lane);
  };
  const probe = async (lane: Lane, worker: string) => {
    const { name } = lane.entry;
    const lease = await leaseProbe(pool, name, worker);
    if (!lease) return;
    const row = ledger.takeParked(lane) ?? (await takeFromQueue(lane));
    if (!row) {
      await postponeProbe(pool, name, { step: lease.probe_step, waitMs: nobodyMs });
      return;
    }
    const renewal = setInterval(() => void renewProbe(pool, name, worker).catch(() => undefined), renewMs);
    const outcome = await dispatcher.ask(lane, row).finally(() => clearInterval(renewal));
    const next = nextProbe(outcome, lease.probe_step);
    if (next) {
      await postponeProbe(pool, name, next);
      return;
    }
    await writer.flush();
    await inTransaction(pool, (tx) => openSource(tx, name, { unpause: false }));
    log.info({ source: name }, 'the source is back');
  };

  return {
    check(sources, now, worker) {
      for (const lane of lanes) {
        const row = sources.get(lane.entry.name);
        const due = row && row.state !== 'up' && row.state !== 'proxies' && !row.paused && row.probe_at;
        if (!due || due > now || running.has(lane)) continue;
        const run = probe(lane, worker)
          .catch((error: unknown) => log.warn({ err: error }, 'a probe could not be sent'))
          .finally(() => running.delete(lane));
        running.set(lane, run);
      }
    },
    async settle() {
      await Promise.all(running.values());
    },
  };
}

/** When the next probe goes out after this one; undefined when the source is back. */
function nextProbe(outcome: Outcome, step: number): Parameters<typeof postponeProbe>[2] | undefined {
  switch (outcome.is) {
    case 'unreachable':
      return { state: 'down', step: 0, error: outcome.error, waitMs: downMs };
    case 'auth':
    case 'quota':
      return { state: outcome.is, step: step + 1, error: outcome.error, waitMs: pauseMs(step + 1) };
    case 'proxy':
      return { step, error: outcome.error, waitMs: outcome.beyond ? downMs : nobodyMs };
    default:
      return undefined;
  }
}
