/** What a row has used up while it has no outcome: kept in `serials.lookup`, so that nothing starts over. */
export type Progress = {
  /** Sources that said not_found. */
  answered: string[];
  /** The source that the next three belong to. */
  source: string | null;
  /** Calls that ended in retry or throttled. */
  tries: number;
  polls: number;
  /** What to ask for again. */
  poll: string | null;
  /** Not to be asked before (epoch ms). */
  due: number | null;
};

export const untouched: Readonly<Progress> = {
  answered: [],
  source: null,
  tries: 0,
  polls: 0,
  poll: null,
  due: null,
};

/** Reads `serials.lookup`; null and unknown parts read as untouched. */
export function readProgress(stored: unknown): Progress {
  return { ...untouched, ...(typeof stored === 'object' ? stored : null) };
}
