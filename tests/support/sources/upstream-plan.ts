/** The response of the stand-in upstream to one call. */
export type UpstreamStep = {
  /** 200 by default. */
  status?: number;
  headers?: Record<string, string>;
  /** Sent as JSON unless it is a text. By default the device of the serial. */
  body?: unknown;
  delayMs?: number;
  /** Never answers. */
  hang?: true;
  /** Sends one byte a second and never ends. */
  trickle?: true;
  /** Closes the connection instead of answering. */
  reset?: true;
};

/** The mode of the upstream: responses by its plan, or the same response to every call. */
export type UpstreamPhase = 'normal' | 'auth' | 'quota' | 'broken';

/** A report of the calls so far. Times are fractional epoch milliseconds by the upstream's clock. */
export type UpstreamReport = {
  /** The number of calls by serial. */
  calls: Record<string, number>;
  /** The arrival time of each call, in order. */
  starts: number[];
  /** The earliest possible arrival time of each call, which may be earlier if this process was blocked. */
  earliest: number[];
  /** The maximum number of concurrent calls. */
  maxConcurrency: number;
  /** The sum of the durations of all calls. */
  busyMs: number;
};

/** A message to the upstream. */
export type UpstreamCommand =
  | { do: 'plan'; serials: Record<string, UpstreamStep[]> }
  | { do: 'phase'; phase: UpstreamPhase }
  | { do: 'latency'; ms: number }
  | { do: 'report' }
  | { do: 'listen'; port: number }
  | { do: 'vanish' };
