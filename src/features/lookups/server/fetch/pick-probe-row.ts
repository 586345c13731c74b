import type { LookupRow } from '../rows/batch.ts';

/**
 * Picks a row to probe a source with. Prefers one that the source has not refused yet, because a refused row may be
 * refused alone.
 */
export function pickProbeRow(rows: LookupRow[]): LookupRow | undefined {
  const fresh = rows.find(({ lookupState }) => lookupState.refusedAt === null);
  return fresh ?? rows[Math.floor(Math.random() * rows.length)];
}
