import type { LookupRow } from '../rows/batch.ts';

/** Picks a row to probe a source with. Prefers one that no call has failed about, because others may be refused alone. */
export function pickProbeRow(rows: LookupRow[]): LookupRow | undefined {
  const fresh = rows.find(({ lookupState }) => lookupState.source === null);
  return fresh ?? rows[Math.floor(Math.random() * rows.length)];
}
