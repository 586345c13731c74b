import type { Connections } from '../http/client-pool.ts';
import type { LookupRow } from '../rows/batch.ts';
import type { Health } from '../source-figures/call-counts.ts';
import type { Source } from '../sources/source.ts';
import type { ConfiguredSource } from '../sources/sources-file.ts';
import type { FairQueue } from './fair-queue.ts';
import type { Gate } from './rate-limiter.ts';

/** The way that one call leaves by. */
export type Way = {
  via: Connections | undefined;
  /** The call went out. */
  sent(): void;
  /** Says how the call went: `faulty` when the way failed it, `beyond` when it was fine but the source out of reach. */
  end(how: 'answered' | 'faulty' | 'beyond' | 'unknown'): void;
};

/** Where a source's calls leave by: straight, or through a pool of proxies. */
export type Egress = {
  /** Milliseconds until a way is free; 0: now; Infinity: not before something changes. */
  waitMs(now: number): number;
  /** Takes a way that is free now. */
  take(now: number): Way;
  /** Whether there is no way at all, free or not. */
  isEmpty(): boolean;
};

/** One source, the rows that are ready to be asked there, and what decides when. */
export type Lane = {
  entry: ConfiguredSource;
  source: Source;
  queue: FairQueue<LookupRow>;
  gate: Gate;
  egress: Egress;
  health: Health;
};

/** Straight to the source, through connections of its own. */
export const directEgress: Egress = {
  waitMs: () => 0,
  isEmpty: () => false,
  take: () => ({ via: undefined, sent: () => undefined, end: () => undefined }),
};
