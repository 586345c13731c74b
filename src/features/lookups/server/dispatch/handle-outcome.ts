import type { Outcome } from '#features/sources/server/configuration/source.ts';
import { readText } from '#features/sources/server/responses/read-coverage.ts';
import { steadyNow } from '#server/runtime/steady-clock.ts';
import type { BatchTracker } from '../fetch/batch-tracker.ts';
import type { GateCall, SourceFailure } from '../gate/source-gate.ts';
import type { SourceQueue } from '../queues/source-queue.ts';
import type { LookupRow } from '../rows/batch.ts';
import type { LookupState } from '../rows/lookup-state.ts';
import type { RowResult } from '../rows/row-result.ts';
import { applyRetryPolicy, type Decision } from './retry-policy.ts';

/** The number of consecutive proxy failures of a row that count as one failed attempt. */
const maxProxyFailures = 5;

/** An ended call, which began at `askedAt` (epoch ms) and took `ms`. */
type EndedCall = {
  sourceQueue: SourceQueue;
  row: LookupRow;
  gateCall: GateCall;
  outcome: Exclude<Outcome, { is: 'unsent' }>;
  askedAt: number;
  ms: number;
};

/** Applies the outcome of a call to its row, its proxy, and its source's figures. */
export type HandleOutcome = (call: EndedCall) => void;

export type OutcomeHandlerParts = {
  batchTracker: BatchTracker;
  /** Called when the failure of a source has closed its gate. */
  onSourceFailure(sourceQueue: SourceQueue, failure: SourceFailure): void;
};

export function createOutcomeHandler({ batchTracker, onSourceFailure }: OutcomeHandlerParts): HandleOutcome {
  /** The consecutive proxy failures of a row, and whether all those proxies worked but could not reach the source. */
  const proxyFailures = new WeakMap<LookupRow, { count: number; allTargetUnreachable: boolean }>();

  /** Counts a proxy failure of a row. Returns whether to retry through another proxy without using up an attempt. */
  const countProxyFailure = (
    { gate: { egress } }: SourceQueue,
    row: LookupRow,
    { targetUnreachable }: { targetUnreachable: boolean },
  ) => {
    const before = proxyFailures.get(row);
    const count = (before?.count ?? 0) + 1;
    const allTargetUnreachable = targetUnreachable && (before?.allTargetUnreachable ?? true);
    proxyFailures.set(row, { count, allTargetUnreachable });
    return count < maxProxyFailures && !(allTargetUnreachable && egress.isEmpty());
  };

  return ({ sourceQueue, row, gateCall, outcome, askedAt, ms }) => {
    if (outcome.is === 'proxy' && countProxyFailure(sourceQueue, row, outcome)) {
      batchTracker.putBack(row);
      return;
    }
    const failures = proxyFailures.get(row);
    proxyFailures.delete(row);
    // If every proxy works but none can reach the source, the source is down.
    const final =
      outcome.is === 'proxy'
        ? {
            is: failures?.allTargetUnreachable ? ('unreachable' as const) : ('retry' as const),
            error: outcome.error,
          }
        : outcome;
    sourceQueue.callCounter.record(final.is, ms, 'error' in final ? final.error : null);
    const failure = gateCall.judge(final, row.serial);
    if (failure) onSourceFailure(sourceQueue, failure);
    const decision = applyRetryPolicy(row.lookupState, final, {
      source: sourceQueue.entry,
      isShut: sourceQueue.gate.shutReason !== null,
      hasNext: () => batchTracker.nextQueue(row, withAnswer(row.lookupState, sourceQueue)) !== undefined,
      now: steadyNow(),
      random: Math.random,
    });
    if (decision.to === 'continue') batchTracker.proceed(row, decision.lookupState);
    else batchTracker.finish(row, resultOf(sourceQueue, row, decision, askedAt));
  };
}

function withAnswer(lookupState: LookupState, { entry }: SourceQueue): LookupState {
  return { ...lookupState, answered: [...lookupState.answered, entry.name] };
}

function resultOf(
  { entry }: Pick<SourceQueue, 'entry'>,
  { position, serial }: LookupRow,
  decision: Extract<Decision, { to: 'done' | 'failed' }>,
  askedAt: number,
): RowResult {
  return {
    position,
    serial,
    state: decision.to,
    reason: decision.to === 'failed' ? decision.reason : null,
    details: decision.to === 'failed' ? readText(decision.details) : null,
    coverage: decision.to === 'done' ? decision.coverage : null,
    fetchedAt: askedAt,
    // Screens recognise simulated answers by this name, which the entry need not have.
    source: entry.simulated ? 'sandbox' : entry.name,
    attempts: decision.attempts,
    egress: entry.remote ? entry.egress : null,
    cached: false,
  };
}
