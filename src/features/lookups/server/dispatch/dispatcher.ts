import { SpanKind } from '@opentelemetry/api';
import type { Outcome } from '#features/sources/server/configuration/source.ts';
import type { Exchange } from '#features/sources/sources.contract.ts';
import type { Wakeup } from '#server/concurrency/wakeup.ts';
import { startSpan } from '#server/monitoring/spans.ts';
import type { Log } from '#server/runtime/log.ts';
import type { BatchTracker } from '../fetch/batch-tracker.ts';
import type { SourceQueue } from '../queues/source-queue.ts';
import type { LookupRow } from '../rows/batch.ts';
import type { ResultWriter } from '../write/result-writer.ts';
import type { FailedCalls } from './failed-calls.ts';
import type { HandleOutcome } from './handle-outcome.ts';

/** The interval at which rows that wait for a permit look again. The end of a call wakes them at once. */
const lookMs = 25;

export type Dispatcher = ReturnType<typeof createDispatcher>;

export type DispatcherParts = {
  log: Log;
  sourceQueues: SourceQueue[];
  /** The maximum number of calls in flight, over all sources. */
  concurrency: number;
  batchTracker: BatchTracker;
  writer: ResultWriter;
  handleOutcome: HandleOutcome;
  failedCalls: FailedCalls;
  /** Triggered after each call, because more may start. */
  wakeup: Wakeup;
};

/** Starts the calls, as many at once as this worker and the sources' limits allow. */
export function createDispatcher(parts: DispatcherParts) {
  const { log, sourceQueues, concurrency, batchTracker, writer, handleOutcome, failedCalls, wakeup } = parts;
  /** The places for calls that are kept for other sources, and of them those for each, at least one. */
  const kept = Math.floor(concurrency / 8);
  const keptForEach = Math.max(1, Math.floor(kept / sourceQueues.length));
  let inFlight = 0;
  let stopped = false;
  let timer: NodeJS.Timeout | undefined;
  let aborted = false;

  /** Starts every call that may start now. Runs after each wake-up, and when a gate opens by time. */
  const dispatch = () => {
    clearTimeout(timer);
    while (!stopped && inFlight < concurrency && writer.room > 0) {
      const { sourceQueue, wait } = findReady(sourceQueues, {
        now: performance.now(),
        free: concurrency - inFlight,
        kept,
        keptForEach,
      });
      const row = sourceQueue?.rows.shift();
      if (!sourceQueue || !row) {
        // Timers count whole milliseconds.
        if (wait < Number.POSITIVE_INFINITY) timer = setTimeout(dispatch, Math.ceil(wait));
        break;
      }
      void call(sourceQueue, row);
    }
  };

  const call = async (sourceQueue: SourceQueue, row: LookupRow): Promise<Outcome | undefined> => {
    const now = performance.now();
    const gateCall = sourceQueue.gate.start(now);
    inFlight += 1;
    writer.addCall(row.batch);
    const attributes = { 'coverdesk.source': sourceQueue.entry.name, 'coverdesk.ticket': row.batch.ticketId };
    const span = startSpan('call to a source', { kind: SpanKind.CLIENT, attributes });
    let exchange: Exchange | undefined;
    const trace = (last: Exchange) => {
      exchange = last;
    };
    const askedAt = Date.now();
    const outcome = await sourceQueue.source
      .ask({
        serial: row.serial,
        kind: row.kind,
        poll: row.lookupState.source === sourceQueue.entry.name ? row.lookupState.poll : null,
        ...(gateCall.via && { via: gateCall.via }),
        permits: gateCall.permits,
        ...(failedCalls.areDetailed && { trace }),
      })
      .catch((error: unknown): Outcome => {
        log.error({ err: error, source: sourceQueue.entry.name }, 'a source threw an error');
        return { is: 'retry', error: 'unexpected failure' };
      });
    span.setAttribute('coverdesk.outcome', outcome.is).end();
    inFlight -= 1;
    if (aborted) return undefined;
    gateCall.end(outcome);
    failedCalls.note(sourceQueue.entry.name, row, outcome, exchange);
    if (outcome.is === 'unsent') {
      batchTracker.putBack(row);
      wakeup.wake();
      return undefined;
    }
    handleOutcome({ sourceQueue, row, gateCall, outcome, askedAt, ms: performance.now() - now });
    wakeup.wake();
    return outcome;
  };

  return {
    dispatch,
    /**
     * Asks a source whose gate is shut about one row, and handles the outcome like that of any other call. Resolves with
     * undefined if no proxy is free, no request was sent or the call was aborted.
     */
    async probe(sourceQueue: SourceQueue, row: LookupRow): Promise<Outcome | undefined> {
      const wait = sourceQueue.gate.egress.waitMs(performance.now());
      if (wait === 0) return call(sourceQueue, row);
      batchTracker.putBack(row);
      return undefined;
    },
    /** Prevents new calls. */
    stop() {
      stopped = true;
      clearTimeout(timer);
    },
    /** Ignores the outcomes of the calls in flight. Their rows get no result. */
    abort() {
      aborted = true;
    },
    get inFlight() {
      return inFlight;
    },
  };
}

/**
 * Returns the source to ask next, or the wait until one may be asked. Prefers the source with the fewest calls in
 * flight, so that a slow source does not use up the concurrency of a fast one, and leaves `keptForEach` places to those
 * that may be asked but do not use them yet, at most `kept` in all.
 */
function findReady(
  sourceQueues: SourceQueue[],
  { now, free, kept, keptForEach }: { now: number; free: number; kept: number; keptForEach: number },
): { sourceQueue: SourceQueue | undefined; wait: number } {
  let ready: SourceQueue | undefined;
  let wait = Number.POSITIVE_INFINITY;
  const others = sourceQueues.filter(({ gate }) => gate.shutReason === null);
  const unused = others.reduce((sum, { gate }) => sum + Math.max(0, keptForEach - gate.inFlight), 0);
  for (const sourceQueue of sourceQueues) {
    if (
      sourceQueue.rows.size === 0 ||
      (sourceQueue.gate.inFlight >= keptForEach && free <= Math.min(unused, kept))
    )
      continue;
    if (ready && sourceQueue.gate.inFlight >= ready.gate.inFlight) continue;
    const answer = sourceQueue.gate.look(now);
    if (answer.is === 'open') ready = sourceQueue;
    else wait = Math.min(wait, answer.is === 'opens' ? answer.inMs : lookMs);
  }
  return { sourceQueue: ready, wait };
}
