import type { SerialKind } from '#features/sources/sources.contract.ts';
import type { LookupState } from './lookup-state.ts';
import type { RowResult } from './row-result.ts';
import type { RowState, RowsByState } from './row-states.ts';

/**
 * A range of positions of one ticket. Statements that are bounded by it use the index, even before the table is
 * analysed.
 */
export type PositionRange = { ticketId: number; lo: number; hi: number };

/** The pending rows of one job, as the worker that holds the job knows them. */
export type Batch = PositionRange & {
  companyCode: string;
  /** Rows of rechecks are asked about after those of uploads. */
  isRecheck: boolean;
  job: { id: string; holds: number };
  rows: RowsByState<LookupRow>;
  /** Whether a source was asked about one of the rows. */
  asked: boolean;
};

/** A row without a result, held by a worker. */
export type LookupRow = {
  batch: Batch;
  state: RowState;
  /** The source that a parked row waits for. */
  awaits: string | null;
  position: number;
  serial: string;
  kind: SerialKind;
  lookupState: LookupState;
  /** The result from the answer cache, used instead of a call. */
  cached: RowResult | null;
  /** Whether this job reserved the serial and has no unwritten result of it. Only reserved rows are asked about. */
  reserved: boolean;
};
