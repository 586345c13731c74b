import { steadyNow } from '#server/runtime/steady-clock.ts';

/** The progress of a row without a result. It is stored in `serials.lookup`, so that nothing starts over. */
export type LookupState = {
  /** Sources whose outcome was not_found. */
  answered: string[];
  /** The source that `tries`, `polls` and `poll` belong to. */
  source: string | null;
  /** Failed attempts at `source`. `applyRetryPolicy` decides which outcomes use up an attempt. */
  tries: number;
  /** Calls with the outcome pending. */
  polls: number;
  /** The id to poll for after a pending outcome. */
  poll: string | null;
  /**
   * The row is not asked about before this time: `steadyNow` in memory, epoch ms of the database's clock when stored.
   */
  due: number | null;
};

export const initialLookupState: Readonly<LookupState> = {
  answered: [],
  source: null,
  tries: 0,
  polls: 0,
  poll: null,
  due: null,
};

/**
 * Reads `serials.lookup`. Missing fields get their initial values.
 * @param waitMs the remaining wait of the row; null if it does not wait
 */
export function readLookupState(stored: unknown, waitMs: number | null): LookupState {
  const due = waitMs === null ? null : steadyNow() + waitMs;
  return { ...initialLookupState, ...(typeof stored === 'object' ? stored : null), due };
}
