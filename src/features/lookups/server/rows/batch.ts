import type { SerialKind } from '#features/sources/sources.contract.ts';
import type { LookupState } from './lookup-state.ts';
import type { RowResult } from './row-result.ts';

/** Positions of one ticket: a statement that is bounded by them uses the index, even before the table was analysed. */
export type PositionRange = { ticketId: number; lo: number; hi: number };

/** The rows of one job that have no result yet, as the worker that holds the job knows them. */
export type Batch = PositionRange & {
  job: { id: string; retryCount: number };
  /** How many rows are in a source's queue or being asked about. */
  active: number;
  /** Rows that wait for a time (`lookupState.due`). */
  delayed: Set<LookupRow>;
  /** Rows that wait until this or another worker may ask a source, with its name. */
  parked: Map<LookupRow, string>;
  /** How many rows may not be asked about (`LookupRow.reserved`); they come back with the next job. */
  unreserved: number;
  /** The job was ended, given back or taken away. Results that still arrive are written all the same. */
  ended: boolean;
};

/** A row without a result, held by a worker. */
export type LookupRow = {
  batch: Batch;
  position: number;
  serial: string;
  kind: SerialKind;
  lookupState: LookupState;
  /** The result from the answer cache, used instead of asking a source. */
  cached: RowResult | null;
  /** Whether it may be asked about: no other row of its serial is, and no answer to it waits to be written. */
  reserved: boolean;
};
