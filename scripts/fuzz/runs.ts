import type { Parameters } from 'fast-check';

/** How many cases a search tries, the seed that makes the same cases again, and whether it shrinks what it finds. */
export type Runs = Pick<Parameters<unknown>, 'seed' | 'endOnFailure'> & { numRuns: number };
