import type pg from 'pg';
import type { Outcome } from '#features/sources/server/configuration/source.ts';
import {
  closeCircuit,
  leaseProbe,
  type ProbeLease,
  postponeProbe,
} from '#features/sources/server/states/circuit.queries.ts';
import type { SourceState } from '#features/sources/server/states/source-states.queries.ts';
import { inTransaction } from '#server/db/db.ts';
import type { Log } from '#server/runtime/log.ts';
import type { BatchTracker } from '../fetch/batch-tracker.ts';
import type { JobFetcher } from '../fetch/job-fetcher.ts';
import type { SourceQueue } from '../queues/source-queue.ts';
import type { Dispatcher } from './dispatcher.ts';

/** The interval of probes while a source is unreachable. */
const downMs = 5000;
/** The wait before the next try when there was no row or no proxy for a probe. */
const noProbeMs = 1000;

export type ProberParts = {
  pool: pg.Pool;
  log: Log;
  sourceQueues: SourceQueue[];
  batchTracker: Pick<BatchTracker, 'takeParked'>;
  dispatcher: Dispatcher;
  fetcher: Pick<JobFetcher, 'fetchProbeRow'>;
  /** This worker's id. */
  worker: string;
};

/** Sends the probes of sources with an open circuit: one worker at a time, about a row that waits for the source. */
export function createProber(parts: ProberParts) {
  const { pool, log, sourceQueues, batchTracker, dispatcher, fetcher, worker } = parts;
  const running = new Map<SourceQueue, Promise<void>>();
  let stopped = false;

  /** Sends a probe if this worker gets its lease, and notes when the next one is due, or that the source is back. */
  const probe = async (sourceQueue: SourceQueue) => {
    const { name } = sourceQueue.entry;
    const lease = await leaseProbe.first(pool, { name, worker });
    if (!lease) return;
    const row = batchTracker.takeParked(sourceQueue) ?? (await fetcher.fetchProbeRow(sourceQueue));
    // The answer to a call that begins after the stop would be lost.
    const outcome = row && !stopped ? await dispatcher.probe(sourceQueue, row) : undefined;
    // Without a row, or if the call was aborted or not sent, nothing new is known about the source.
    const next = outcome
      ? nextProbe(outcome, lease)
      : { state: null, step: lease.probe_step, error: null, waitMs: noProbeMs };
    if (next) {
      await postponeProbe.run(pool, { ...next, name, worker });
      return;
    }
    const isClosed = await inTransaction(pool, (tx) => closeCircuit(tx, name, { by: 'probe', worker }));
    if (isClosed) log.info({ source: name }, 'the source is back');
  };

  return {
    startDue(states: ReadonlyMap<string, SourceState>) {
      if (stopped) return;
      for (const sourceQueue of sourceQueues) {
        if (!states.get(sourceQueue.entry.name)?.is_probe_due || running.has(sourceQueue)) continue;
        const run = probe(sourceQueue)
          .catch((error: unknown) => log.warn({ err: error }, 'a probe could not be sent'))
          .finally(() => running.delete(sourceQueue));
        running.set(sourceQueue, run);
      }
    },
    /** Prevents new probes. */
    stop() {
      stopped = true;
    },
    /** Resolves when no probe is running. */
    async waitForProbes() {
      await Promise.all(running.values());
    },
  };
}

/** Returns the wait before the n-th probe of a source that refuses the account: 5 s, doubling to 5 minutes. */
function backoffMs(step: number): number {
  return Math.min(300_000, 5000 * 2 ** step);
}

/** Returns when the next probe is due; undefined if the source is back. */
function nextProbe(outcome: Outcome, { state, probe_step: step }: ProbeLease) {
  switch (outcome.is) {
    case 'unreachable':
      return { state: 'down' as const, step: 0, error: outcome.error, waitMs: downMs };
    case 'auth':
    case 'quota':
      return { state: outcome.is, step: step + 1, error: outcome.error, waitMs: backoffMs(step + 1) };
    case 'proxy':
      return {
        state: null,
        step,
        error: outcome.error,
        waitMs: outcome.targetUnreachable ? downMs : noProbeMs,
      };
    case 'retry':
      // Without a response, nothing is known about the account.
      return outcome.unanswered && state !== 'down'
        ? { state: null, step, error: outcome.error, waitMs: backoffMs(step) }
        : undefined;
    default:
      return undefined;
  }
}
