import type { Coverage } from '#features/coverage/coverage.contract.ts';
import { toArrayLiteral } from '#server/array-literal.ts';
import type { Queryable } from '#server/db.ts';
import { statement } from '#server/statement.ts';
import type { RowResult } from '../rows/row-result.ts';

/** A source whose answers may be reused, by the key of what is asked and how it is read. */
export type ReusableSource = { name: string; key: string };

type Answer = {
  key: string;
  serial: string;
  fetchedAt: number;
  egress: RowResult['egress'];
  coverage: Coverage;
};

const keep = statement({
  name: 'save-answers',
  text: `INSERT INTO coverage_cache AS c (source_key, serial, fetched_at, egress, type, activation_status, purchase_date,
                                      warranty_title, coverage_start_date, coverage_end_date)
     SELECT key, serial, to_timestamp(fetched_at / 1000), egress, type, activation_status, purchase_date,
            warranty_title, coverage_start_date, coverage_end_date
     FROM unnest($1::text[], $2::text[], $3::float8[], $4::text[], $5::text[], $6::activation[],
                 $7::date[], $8::text[], $9::date[], $10::date[])
       AS v(key, serial, fetched_at, egress, type, activation_status, purchase_date,
            warranty_title, coverage_start_date, coverage_end_date)
     ON CONFLICT (source_key, serial) DO UPDATE SET
       fetched_at = excluded.fetched_at, egress = excluded.egress, type = excluded.type,
       activation_status = excluded.activation_status, purchase_date = excluded.purchase_date,
       warranty_title = excluded.warranty_title, coverage_start_date = excluded.coverage_start_date,
       coverage_end_date = excluded.coverage_end_date
     WHERE c.fetched_at < excluded.fetched_at`,
});

/**
 * Caches the answers that sources have just given, the newest one per source and serial. They are sorted, so that two
 * workers never wait for each other.
 */
export async function saveAnswers(
  tx: Queryable,
  sources: ReusableSource[],
  results: RowResult[],
): Promise<void> {
  const keys = new Map(sources.map(({ name, key }) => [name, key]));
  const newest = new Map<string, Answer>();
  for (const { serial, fetchedAt, source, egress, coverage, cached } of results) {
    const key = keys.get(source ?? '');
    if (key === undefined || coverage === null || cached || fetchedAt === null) continue;
    const id = `${key} ${serial}`;
    if ((newest.get(id)?.fetchedAt ?? 0) < fetchedAt)
      newest.set(id, { key, serial, fetchedAt, egress, coverage });
  }
  if (newest.size === 0) return;
  const rows = [...newest].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, answer]) => answer);
  const column = (name: Exclude<keyof Answer, 'coverage'>) => toArrayLiteral(rows.map((row) => row[name]));
  const field = (name: keyof Coverage) => toArrayLiteral(rows.map(({ coverage }) => coverage[name]));
  await keep.run(tx, [
    ...[column('key'), column('serial'), column('fetchedAt'), column('egress'), field('type')],
    ...[field('activation_status'), field('purchase_date'), field('warranty_title')],
    ...[field('coverage_start_date'), field('coverage_end_date')],
  ]);
}

const deleteOld = statement({
  text: "DELETE FROM coverage_cache WHERE fetched_at < now() - $1 * interval '1 hour'",
});

/** Deletes answers that are too old to be reused. */
export async function deleteOldAnswers(db: Queryable, hours: number): Promise<void> {
  await deleteOld.run(db, [hours]);
}
