import { float8, int8, jsonb } from '#server/db/column-types.ts';
import type { Queryable } from '#server/db/db.ts';
import { statement } from '#server/db/statement.ts';
import type { Batch } from '../rows/batch.ts';
import type { RowResult } from '../rows/row-result.ts';

/** A source whose answers may be reused. The key changes with its requests and with its mapping of answers. */
export type ReusableSource = { name: string; key: string };

const keep = statement({
  name: 'save-answers',
  // Sorted to avoid deadlocks.
  text: `INSERT INTO coverage_cache AS c (company_code, source_key, serial, fetched_at, egress, type, activation_status,
                                      purchase_date, warranty_title, coverage_start_date, coverage_end_date)
     SELECT DISTINCT ON (t.company_code, key, serial) t.company_code, key, serial,
            least(to_timestamp("fetchedAt" / 1000), now()), egress, type, activation_status, purchase_date, warranty_title, coverage_start_date, coverage_end_date
     FROM jsonb_to_recordset(:answers) AS v(
       "ticketId" bigint, key text, serial text, "fetchedAt" float8, egress text, type text,
       activation_status activation, purchase_date date, warranty_title text, coverage_start_date date,
       coverage_end_date date)
     JOIN tickets AS t ON t.id = v."ticketId"
     ORDER BY t.company_code, key, serial, "fetchedAt" DESC
     ON CONFLICT (company_code, source_key, serial) DO UPDATE SET
       fetched_at = excluded.fetched_at, egress = excluded.egress, type = excluded.type,
       activation_status = excluded.activation_status, purchase_date = excluded.purchase_date,
       warranty_title = excluded.warranty_title, coverage_start_date = excluded.coverage_start_date,
       coverage_end_date = excluded.coverage_end_date
     WHERE c.fetched_at < excluded.fetched_at`,
  params: { answers: jsonb<object[]>() },
});

/**
 * Caches new answers for the company of each ticket; the newest per source and serial wins. Answers for deleted
 * tickets are not cached.
 */
export async function storeAnswers(
  tx: Queryable,
  sources: ReusableSource[],
  changes: { batch: Pick<Batch, 'ticketId'>; results: RowResult[] }[],
): Promise<void> {
  const keys = new Map(sources.map(({ name, key }) => [name, key]));
  const answers = changes.flatMap(({ batch: { ticketId }, results }) =>
    results.flatMap(({ serial, fetchedAt, source, egress, coverage, cached }) => {
      const key = keys.get(source ?? '');
      if (key === undefined || coverage === null || cached || fetchedAt === null) return [];
      return [{ ticketId, key, serial, fetchedAt, egress, ...coverage }];
    }),
  );
  if (answers.length > 0) await keep.run(tx, { answers });
}

/** Deletes the oldest expired answers. @returns how many, at most `limit` */
export const deleteOldAnswers = statement({
  // SKIP LOCKED, because an answer that another worker is replacing is no longer old.
  text: `DELETE FROM coverage_cache WHERE ctid = ANY(ARRAY(
       SELECT ctid FROM coverage_cache WHERE fetched_at < now() - :hours * interval '1 hour'
       ORDER BY fetched_at LIMIT :limit FOR UPDATE SKIP LOCKED))`,
  params: { hours: float8, limit: int8 },
});
