/** How many cases a search tries, and the seed that makes the same cases again; a random seed by default. */
export type Runs = { numRuns: number; seed?: number };
