import type { Coverage } from '#features/coverage/coverage.contract.ts';
import type { Queryable } from '#server/db.ts';
import { toArrayLiteral } from './array-literal.ts';

/** An answer to keep for other tickets. */
export type CacheEntry = {
  sourceKey: string;
  serial: string;
  fetchedAt: Date;
  egress: 'direct' | 'proxies';
  coverage: Coverage;
};

/** Keeps answers, the newest per source and serial. Sorted, so that two workers never wait for each other. */
export async function insertCacheEntries(tx: Queryable, entries: CacheEntry[]): Promise<void> {
  const newest = new Map(entries.map((entry) => [`${entry.sourceKey} ${entry.serial}`, entry]));
  const rows = [...newest.entries()].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, entry]) => entry);
  const column = (read: (entry: CacheEntry) => string | Date | null) => toArrayLiteral(rows.map(read));
  await tx.query({
    name: 'keep-answers',
    text: `INSERT INTO coverage_cache AS c (source_key, serial, fetched_at, egress, type, activation_status, purchase_date,
                                      warranty_title, coverage_start_date, coverage_end_date)
     SELECT * FROM unnest($1::text[], $2::text[], $3::timestamptz[], $4::text[], $5::text[], $6::activation[],
                          $7::date[], $8::text[], $9::date[], $10::date[])
     ON CONFLICT (source_key, serial) DO UPDATE SET
       fetched_at = excluded.fetched_at, egress = excluded.egress, type = excluded.type,
       activation_status = excluded.activation_status, purchase_date = excluded.purchase_date,
       warranty_title = excluded.warranty_title, coverage_start_date = excluded.coverage_start_date,
       coverage_end_date = excluded.coverage_end_date
     WHERE c.fetched_at < excluded.fetched_at`,
    values: [
      column(({ sourceKey }) => sourceKey),
      column(({ serial }) => serial),
      column(({ fetchedAt }) => fetchedAt),
      column(({ egress }) => egress),
      column(({ coverage }) => coverage.type),
      column(({ coverage }) => coverage.activation_status),
      column(({ coverage }) => coverage.purchase_date),
      column(({ coverage }) => coverage.warranty_title),
      column(({ coverage }) => coverage.coverage_start_date),
      column(({ coverage }) => coverage.coverage_end_date),
    ],
  });
}

/** Forgets answers that are no longer reused. */
export async function deleteOldEntries(db: Queryable, hours: number): Promise<void> {
  await db.query("DELETE FROM coverage_cache WHERE fetched_at < now() - $1 * interval '1 hour'", [hours]);
}
