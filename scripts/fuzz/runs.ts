import type { Parameters } from 'fast-check';

/** The number of cases that a search tries, the seed that repeats them, and whether it shrinks a found case. */
export type Runs = Pick<Parameters<unknown>, 'seed' | 'endOnFailure'> & { numRuns: number };
