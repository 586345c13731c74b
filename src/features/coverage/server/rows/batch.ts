import type { Coverage, SerialKind } from '#features/coverage/coverage.contract.ts';
import type { Progress } from './lookup-state.ts';

/** A job of the queue and the rows of it that have no outcome yet, as one worker holds them. */
export type Batch = {
  job: { id: string; retryCount: number };
  ticketId: number;
  lo: number;
  hi: number;
  /** Rows that are ready or under way. */
  busy: number;
  /** Rows that wait for a time (`progress.due`). */
  waiting: Set<LookupRow>;
  /** Rows that wait for a source to come back, by its name. */
  parked: Map<LookupRow, string>;
  /** Over: ended, given back, or no longer ours. What is still under way is written all the same. */
  over: boolean;
};

/** A row that a worker holds. */
export type LookupRow = {
  batch: Batch;
  position: number;
  serial: string;
  kind: SerialKind;
  progress: Progress;
  /** What a source has answered lately about the same serial, to be used instead of asking. */
  cached: RowResult | null;
};

/** An outcome to be written. */
export type RowResult = {
  position: number;
  serial: string;
  state: 'done' | 'failed';
  reason: string | null;
  details: string | null;
  coverage: Coverage | null;
  /** When it was asked (epoch ms); null for a row that nobody could be asked about. */
  fetchedAt: number | null;
  source: string | null;
  attempts: number;
  egress: 'direct' | 'proxies' | null;
  cached: boolean;
};

/** What follows for the rest of a batch: nothing is left, or it goes back to the queue. */
export type Follow = {
  /** Not before this (epoch ms). */
  at: number;
  /** What its rows wait for: `source:NAME` until that source is back, `later:NAME` for a time that it asked for. */
  waits: string | null;
};

/** Everything that lookups brought for one batch and that one transaction writes. */
export type Brought = {
  batch: Batch;
  results: RowResult[];
  progress: Map<number, Progress>;
  /** Undefined while the batch goes on; null when it is over and nothing is left. */
  follow: Follow | null | undefined;
};
