import { steadyNow } from '#server/runtime/steady-clock.ts';

/** What a row without a result has used up so far. It is stored in `serials.lookup`, so that nothing starts over. */
export type LookupState = {
  /** Sources that answered not_found. */
  answered: string[];
  /** The source that `tries`, `polls`, `poll` and `refusedAt` belong to. */
  source: string | null;
  /** Attempts that failed: calls that ended in retry or throttled. */
  tries: number;
  /** Calls that ended in pending. */
  polls: number;
  /** What to ask for at the next call, after a pending one. */
  poll: string | null;
  /** When the call began at which the source first refused the account for this row (epoch ms). */
  refusedAt: number | null;
  /** The row is not asked about before this time: by `steadyNow` here, by the database's clock (epoch ms) where it is stored. */
  due: number | null;
};

export const initialLookupState: Readonly<LookupState> = {
  answered: [],
  source: null,
  tries: 0,
  polls: 0,
  poll: null,
  refusedAt: null,
  due: null,
};

/**
 * Reads `serials.lookup`; what is missing there is as it is at first.
 * @param waitMs how long the row still waits; null if it does not
 */
export function readLookupState(stored: unknown, waitMs: number | null): LookupState {
  const due = waitMs === null ? null : steadyNow() + waitMs;
  return { ...initialLookupState, ...(typeof stored === 'object' ? stored : null), due };
}
