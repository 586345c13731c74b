import type { LookupRow } from '../rows/batch.ts';

/**
 * Picks the row to probe a source with: one that it has not refused yet, else any, so that a row which alone is refused is
 * not the only one that is asked about.
 */
export function pickProbeRow(rows: LookupRow[]): LookupRow | undefined {
  const fresh = rows.find(({ lookupState }) => lookupState.refusedAt === null);
  return fresh ?? rows[Math.floor(Math.random() * rows.length)];
}
