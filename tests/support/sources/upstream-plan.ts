/** How the stand-in upstream answers one call. */
export type UpstreamStep = {
  /** 200 unless said. */
  status?: number;
  headers?: Record<string, string>;
  /** Sent as JSON unless it is a text already; the serial's own device unless said. */
  body?: unknown;
  delayMs?: number;
  /** Never answers. */
  hang?: true;
  /** Sends its answer a byte a second, and never comes to its end. */
  trickle?: true;
  /** Closes the connection instead of answering. */
  reset?: true;
};

/** What the upstream does as a whole: answers by its plan, or says the same to everybody. */
export type UpstreamPhase = 'normal' | 'auth' | 'quota' | 'broken';

/** What happened so far. Times are epoch milliseconds with fractions, by the upstream's own clock. */
export type UpstreamReport = {
  /** Serial -> how often it was asked for. */
  calls: Record<string, number>;
  /** When each call arrived, in order. */
  starts: number[];
  /** The time before which none of them can have arrived: this process may have been kept from running since. */
  earliest: number[];
  /** The most calls that were open at once. */
  maxConcurrency: number;
  /** How long all calls were open, added up. */
  busyMs: number;
};

/** What its parent tells the upstream. */
export type UpstreamCommand =
  | { do: 'plan'; serials: Record<string, UpstreamStep[]> }
  | { do: 'phase'; phase: UpstreamPhase }
  | { do: 'latency'; ms: number }
  | { do: 'report' }
  | { do: 'listen'; port: number }
  | { do: 'vanish' };
