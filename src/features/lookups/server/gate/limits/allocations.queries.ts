import { array, bool, int4, nullable, type RowOf, text, uuid } from '#server/db/column-types.ts';
import type { Queryable } from '#server/db/db.ts';
import { statement } from '#server/db/statement.ts';

const allocation = {
  source: text,
  worker: uuid,
  wants: bool,
  per_second: nullable(int4),
  concurrency: nullable(int4),
};

/**
 * A worker's published allocation of a source's limits; null if the source has no such limit. A worker that has gone
 * wants nothing, but its permits may still be in use.
 */
export type AllocationRow = RowOf<typeof allocation>;

export const listAllocations = statement({
  name: 'list-allocations',
  text: `SELECT s.source, s.worker, s.wants AND w.gone_at IS NULL AS wants, s.per_second, s.concurrency
     FROM source_shares AS s JOIN workers AS w ON w.id = s.worker`,
  row: allocation,
});

const write = statement({
  name: 'write-allocations',
  text: `INSERT INTO source_shares AS s (source, worker, wants, per_second, concurrency)
     SELECT * FROM unnest(:sources::text[], :workers::uuid[], :wants::boolean[], :rates::integer[], :concurrencies::integer[])
     ON CONFLICT (source, worker) DO UPDATE SET
       wants = excluded.wants, per_second = excluded.per_second, concurrency = excluded.concurrency
     WHERE (s.wants, s.per_second, s.concurrency)
       IS DISTINCT FROM (excluded.wants, excluded.per_second, excluded.concurrency)`,
  params: {
    sources: array(text),
    workers: array(uuid),
    wants: array(bool),
    rates: array(allocation.per_second),
    concurrencies: array(allocation.concurrency),
  },
});

/** Publishes a worker's allocations. Unchanged ones are not written. */
export async function writeAllocations(tx: Queryable, rows: AllocationRow[]): Promise<void> {
  await write.run(tx, {
    sources: rows.map(({ source }) => source),
    workers: rows.map(({ worker }) => worker),
    wants: rows.map(({ wants }) => wants),
    rates: rows.map(({ per_second }) => per_second),
    concurrencies: rows.map(({ concurrency }) => concurrency),
  });
}
