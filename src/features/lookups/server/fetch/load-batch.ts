import type { Queryable } from '#server/db/db.ts';
import type { FetchedJob } from '../jobs/lookup-jobs.queries.ts';
import type { Batch, LookupRow } from '../rows/batch.ts';
import { readLookupState } from '../rows/lookup-state.ts';
import type { ReusableSource } from '../write/answer-cache.queries.ts';
import { reserveSerials } from '../write/reservations.queries.ts';
import { cachedResult } from './cached-result.ts';
import { loadPendingRows } from './pending-rows.queries.ts';

/** The sources whose cached answers may be reused, in the order in which they are asked, and for how many hours. */
export type ReusableAnswers = { sources: ReusableSource[]; hours: number };

function newBatch({ id, holds, ...block }: FetchedJob): Batch {
  return {
    ...block,
    job: { id, holds },
    active: 0,
    delayed: new Set(),
    parked: new Map(),
    unreserved: 0,
    asked: false,
    ended: false,
  };
}

/** Loads the pending rows of a job, with cached answers for their serials. */
export async function loadBatch(
  db: Queryable,
  job: FetchedJob,
  cache: ReusableAnswers,
): Promise<{ batch: Batch; rows: LookupRow[] }> {
  const batch = newBatch(job);
  const reusable = { keys: cache.sources.map(({ key }) => key), hours: cache.hours };
  // Reserves before it loads, so that an answer that is cached in between is loaded. Not needed without a cache.
  const reserved = cache.sources.length > 0 ? await reserveSerials(db, job.id, job, reusable) : undefined;
  const pending = await loadPendingRows(db, job, reusable);
  const rows = pending.map(({ position, serial, kind, lookup, wait, cached }) => ({
    batch,
    position,
    serial,
    kind,
    lookupState: readLookupState(lookup, wait),
    cached: cached && cachedResult({ position, serial }, cached, cache.sources),
    reserved: reserved?.has(position) ?? true,
  }));
  return { batch, rows };
}
