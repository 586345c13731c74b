import type { Ledger } from '../fetch/batch-tracker.ts';
import { readText } from '../responses/read-coverage.ts';
import type { LookupRow, RowResult } from '../rows/batch.ts';
import type { Progress } from '../rows/lookup-state.ts';
import type { Lane, Way } from '../source-queues/source-queue.ts';
import type { Outcome } from '../sources/source.ts';
import { type Decision, decide } from './retry-policy.ts';

/** How many proxies in a row may fail one row before that counts as a failed attempt, if there are so many. */
const mostProxies = 5;

/** A call that is over, asked at `askedAt` (epoch ms), `ms` long. */
export type Call = { lane: Lane; row: LookupRow; way: Way; outcome: Outcome; askedAt: number; ms: number };

/** Draws the conclusions of a call: for its row, its way, and its source's pace and health. */
export type Conclude = (call: Call) => void;

export type ConcludeParts = {
  ledger: Ledger;
  /** Told of trouble that is the source's, not a row's. */
  onTrouble(lane: Lane, trouble: 'down' | 'auth' | 'quota', error: string): void;
  /** Told of every call that a source was asked, for its pace. */
  onCall(lane: Lane, outcome: Outcome): void;
};

export function createConclude({ ledger, onTrouble, onCall }: ConcludeParts): Conclude {
  /** How many proxies have failed a row since it was last answered. */
  const faults = new WeakMap<LookupRow, { count: number; allBeyond: boolean }>();

  const settle = (lane: Lane, row: LookupRow, decision: Decision, askedAt: number) => {
    switch (decision.to) {
      case 'done':
      case 'failed':
        ledger.finish(row, resultOf(lane, row, decision, askedAt));
        return;
      case 'next':
      case 'later':
        ledger.proceed(row, decision.progress);
        return;
      case 'source':
        onTrouble(lane, decision.trouble, decision.error);
        ledger.park(row);
    }
  };

  return ({ lane, row, way, outcome, askedAt, ms }) => {
    way.end(wayOf(outcome));
    if (outcome.is === 'proxy') {
      const count = (faults.get(row)?.count ?? 0) + 1;
      const allBeyond = outcome.beyond && (faults.get(row)?.allBeyond ?? true);
      faults.set(row, { count, allBeyond });
      const isLast = outcome.beyond && allBeyond && lane.egress.isEmpty();
      if (count < mostProxies && !isLast) {
        // The same row through another proxy at once, and nothing of it used up.
        if (lane.gate.reason === null && !row.batch.over) lane.queue.unshift(row.batch.ticketId, row);
        else ledger.park(row);
        return;
      }
    }
    const fault = faults.get(row);
    faults.delete(row);
    // Proxies that are all fine and cannot reach the source say that the source is down.
    const judged =
      outcome.is === 'proxy'
        ? { is: fault?.allBeyond ? ('unreachable' as const) : ('retry' as const), error: outcome.error }
        : outcome;
    lane.health.record(judged.is, ms, 'error' in judged ? judged.error : null);
    onCall(lane, judged);
    const decision = decide(row.progress, judged, {
      source: lane.entry,
      hasNext: () => ledger.laneAfter(row, withAnswer(row.progress, lane)) !== undefined,
      now: Date.now(),
      random: Math.random,
    });
    settle(lane, row, decision, askedAt);
  };
}

function withAnswer(progress: Progress, { entry }: Lane): Progress {
  return { ...progress, answered: [...progress.answered, entry.name] };
}

function wayOf(outcome: Outcome): Parameters<Way['end']>[0] {
  if (outcome.is === 'proxy') return outcome.beyond ? 'beyond' : 'faulty';
  const silent = outcome.is === 'unreachable' || (outcome.is === 'retry' && outcome.unanswered);
  return silent ? 'unknown' : 'answered';
}

/** A row's outcome in the words that rows carry, with its provenance. */
function resultOf(
  { entry }: Pick<Lane, 'entry'>,
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
    source: entry.name,
    attempts: decision.attempts,
    egress: entry.remote ? entry.egress : null,
    cached: false,
  };
}
