import type { ConfiguredSource } from '#features/sources/server/configuration/sources-file.ts';
import type { Queryable } from '#server/db/db.ts';
import type { FetchedJob } from '../jobs/fetch-jobs.queries.ts';
import type { Batch, LookupRow } from '../rows/batch.ts';
import { readLookupState } from '../rows/lookup-state.ts';
import type { RowResult } from '../rows/row-result.ts';
import { createRowsByState } from '../rows/row-states.ts';
import type { ReusableSource } from '../write/answer-cache.queries.ts';
import { reserveSerials } from '../write/reservations.queries.ts';
import { loadPendingRows, type PendingRow } from './pending-rows.queries.ts';

/** The sources whose cached answers may be reused, in the order in which they are asked, and for how many hours. */
export type ReusableAnswers = { sources: ReusableSource[]; hours: number };

/**
 * Returns the sources whose answers are cached, in the order in which they are asked. Registries may be replaced at
 * any time, and simulated answers are never reused.
 */
export function reusableSources(sources: ConfiguredSource[], cacheHours: number): ReusableSource[] {
  if (cacheHours === 0) return [];
  return sources
    .filter(({ enabled, remote, simulated }) => enabled && remote && !simulated)
    .map(({ name, cacheKey }) => ({ name, key: cacheKey }));
}

/** Loads the pending rows of a job as a batch, with cached answers for their serials. */
export async function loadBatch(db: Queryable, job: FetchedJob, cache: ReusableAnswers): Promise<Batch> {
  const { id, holds, ...block } = job;
  const rows = createRowsByState<LookupRow>();
  const batch: Batch = { ...block, job: { id, holds }, rows, asked: false };
  const reusable = { keys: cache.sources.map(({ key }) => key), hours: cache.hours };
  // Reserves before it loads, so that an answer that is cached in between is loaded.
  const reserved = await reserveSerials.all(db, { ...job, job: job.id, ...reusable });
  const reservedPositions = new Set(reserved.map(({ position }) => position));
  const pending = await loadPendingRows.all(db, { ...job, ...reusable });
  for (const { position, serial, kind, lookup, wait, cached } of pending)
    rows.active.add({
      batch,
      state: 'active',
      awaits: null,
      position,
      serial,
      kind,
      lookupState: readLookupState(lookup, wait),
      cached: cached && cachedResult({ position, serial }, cached, cache.sources),
      reserved: reservedPositions.has(position),
    });
  return batch;
}

function cachedResult(
  { position, serial }: Pick<RowResult, 'position' | 'serial'>,
  { source_key, fetched_at, egress, ...coverage }: NonNullable<PendingRow['cached']>,
  sources: ReusableSource[],
): RowResult {
  return {
    position,
    serial,
    state: 'done',
    reason: null,
    details: null,
    coverage,
    fetchedAt: Date.parse(fetched_at),
    source: sources.find(({ key }) => key === source_key)?.name ?? null,
    attempts: 0,
    egress,
    cached: true,
  };
}
