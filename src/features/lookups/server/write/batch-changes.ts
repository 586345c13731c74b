import type { FollowUp } from '../jobs/waiting-jobs.queries.ts';
import type { Batch } from '../rows/batch.ts';
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
