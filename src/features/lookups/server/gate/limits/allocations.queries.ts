import { bool, int4, jsonb, nullable, type RowOf, text, uuid } from '#server/db/column-types.ts';
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

/** Publishes a worker's allocations. Unchanged ones are not written. */
export const writeAllocations = statement({
  name: 'write-allocations',
  text: `INSERT INTO source_shares AS s (source, worker, wants, per_second, concurrency)
     SELECT * FROM jsonb_to_recordset(:rows)
       AS r(source text, worker uuid, wants boolean, per_second integer, concurrency integer)
     ON CONFLICT (source, worker) DO UPDATE SET
       wants = excluded.wants, per_second = excluded.per_second, concurrency = excluded.concurrency
     WHERE (s.wants, s.per_second, s.concurrency)
       IS DISTINCT FROM (excluded.wants, excluded.per_second, excluded.concurrency)`,
  params: { rows: jsonb<AllocationRow[]>() },
});
