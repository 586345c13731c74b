import type { Queryable } from '#server/db.ts';

/** A worker's allocation of a source's limits, as it has published it; null: the source has no such limit. */
export type AllocationRow = {
  source: string;
  worker: string;
  wants: boolean;
  per_second: number | null;
  concurrency: number | null;
};

export async function listAllocations(tx: Queryable): Promise<AllocationRow[]> {
  const { rows } = await tx.query<AllocationRow>(
    'SELECT source, worker, wants, per_second, concurrency FROM source_shares',
  );
  return rows;
}

export async function writeAllocations(tx: Queryable, rows: AllocationRow[]): Promise<void> {
  await tx.query(
    `INSERT INTO source_shares (source, worker, wants, per_second, concurrency)
     SELECT * FROM unnest($1::text[], $2::uuid[], $3::boolean[], $4::integer[], $5::integer[])
     ON CONFLICT (source, worker) DO UPDATE SET
       wants = excluded.wants, per_second = excluded.per_second, concurrency = excluded.concurrency`,
    [
      rows.map(({ source }) => source),
      rows.map(({ worker }) => worker),
      rows.map(({ wants }) => wants),
      rows.map(({ per_second }) => per_second),
      rows.map(({ concurrency }) => concurrency),
    ],
  );
}
