import type { FollowUp } from '../jobs/waiting-jobs.queries.ts';
import type { Batch, PositionRange } from '../rows/batch.ts';
import type { LookupState } from '../rows/lookup-state.ts';
import type { RowResult } from '../rows/row-result.ts';

/** Everything that one transaction writes for one batch. */
export type BatchChanges = {
  batch: Batch;
  results: RowResult[];
  /** What rows without a result have used up, by position. */
  lookupStates: Map<number, LookupState>;
  /** Undefined while the batch goes on; null when it ends and no row is left; else the job for what is left. */
  followUp: FollowUp | null | undefined;
};

/** What one pair of statements writes: rows of one ticket that lie close together. */
export type RangeChanges = {
  range: PositionRange;
  results: RowResult[];
  lookupStates: { position: number; lookupState: LookupState }[];
};

/** In a longer range a statement would look at many rows that it does not write. */
const longest = 1000;

/** Joins the changes of one ticket's batches where their positions are adjacent, so that fewer statements write them. */
export function mergeAdjacent(changes: Omit<BatchChanges, 'followUp'>[]): RangeChanges[] {
  const ranges: RangeChanges[] = [];
  for (const { batch, results, lookupStates } of changes.toSorted((a, b) => a.batch.lo - b.batch.lo)) {
    const states = [...lookupStates].map(([position, lookupState]) => ({ position, lookupState }));
    const last = ranges.at(-1);
    if (last && batch.lo <= last.range.hi + 1 && batch.hi - last.range.lo < longest) {
      last.range.hi = Math.max(last.range.hi, batch.hi);
      last.results.push(...results);
      last.lookupStates.push(...states);
    } else {
      const { ticketId, lo, hi } = batch;
      ranges.push({ range: { ticketId, lo, hi }, results: [...results], lookupStates: states });
    }
  }
  return ranges;
}
