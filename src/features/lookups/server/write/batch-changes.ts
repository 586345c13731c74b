import type { FollowUp } from '../jobs/end-jobs.queries.ts';
import type { Batch } from '../rows/batch.ts';
import type { LookupState } from '../rows/lookup-state.ts';
import type { RowResult } from '../rows/row-result.ts';

/** The changes that one transaction writes for one batch. */
export type BatchChanges = {
  batch: Batch;
  results: RowResult[];
  /** The lookup states of rows without a result, by position. */
  lookupStates: Map<number, LookupState>;
  /**
   * Undefined while the batch continues; null if it ends with all rows finished; otherwise when the rest may continue.
   */
  followUp: FollowUp | null | undefined;
};
