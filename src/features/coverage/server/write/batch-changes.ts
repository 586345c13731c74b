import type { Brought, RowResult } from '../rows/batch.ts';
import type { Progress } from '../rows/lookup-state.ts';
import type { Range } from './results.queries.ts';

/** What one pair of statements writes: rows of one ticket that lie close together. */
export type Stretch = {
  range: Range;
  results: RowResult[];
  progress: { position: number; progress: Progress }[];
};

/** Longer stretches would have a statement look at many rows that it does not write. */
const longest = 1000;

/** Puts what one ticket's batches bring together where their blocks follow one another, to write it with fewer statements. */
export function joinNeighbours(entries: Omit<Brought, 'follow'>[]): Stretch[] {
  const stretches: Stretch[] = [];
  for (const { batch, results, progress } of entries.toSorted((a, b) => a.batch.lo - b.batch.lo)) {
    const rows = [...progress].map(([position, used]) => ({ position, progress: used }));
    const last = stretches.at(-1);
    if (last && batch.lo <= last.range.hi + 1 && batch.hi - last.range.lo < longest) {
      last.range.hi = Math.max(last.range.hi, batch.hi);
      last.results.push(...results);
      last.progress.push(...rows);
    } else {
      const { ticketId, lo, hi } = batch;
      stretches.push({ range: { ticketId, lo, hi }, results: [...results], progress: rows });
    }
  }
  return stretches;
}
