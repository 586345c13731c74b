import type { Queryable } from '#server/db.ts';
import { toArrayLiteral } from './array-literal.ts';

/** A source whose answers may be reused, by its name and by the key that its configuration changes. */
export type ReusableSource = { name: string; key: string };

/**
 * Keeps what these rows have been answered, the newest per source and serial. The answers are read from the rows, where
 * they have just been written: to send them once more would cost more. Sorted, so that two workers never wait for each
 * other.
 */
export async function keepAnswers(
  tx: Queryable,
  sources: ReusableSource[],
  rows: { ticketId: number; position: number }[],
): Promise<void> {
  await tx.query({
    name: 'keep-answers',
    text: `INSERT INTO coverage_cache AS c (source_key, serial, fetched_at, egress, type, activation_status, purchase_date,
                                      warranty_title, coverage_start_date, coverage_end_date)
     SELECT DISTINCT ON (k.key COLLATE "C", s.serial COLLATE "C")
       k.key, s.serial, s.fetched_at, s.egress, s.type, s.activation_status, s.purchase_date,
       s.warranty_title, s.coverage_start_date, s.coverage_end_date
     FROM unnest($1::bigint[], $2::integer[]) AS r(ticket_id, position)
     JOIN serials AS s ON s.ticket_id = r.ticket_id AND s.position = r.position
     JOIN unnest($3::text[], $4::text[]) AS k(source, key) ON k.source = s.source
     WHERE s.state = 'done' AND NOT s.cached
     ORDER BY k.key COLLATE "C", s.serial COLLATE "C", s.fetched_at DESC
     ON CONFLICT (source_key, serial) DO UPDATE SET
       fetched_at = excluded.fetched_at, egress = excluded.egress, type = excluded.type,
       activation_status = excluded.activation_status, purchase_date = excluded.purchase_date,
       warranty_title = excluded.warranty_title, coverage_start_date = excluded.coverage_start_date,
       coverage_end_date = excluded.coverage_end_date
     WHERE c.fetched_at < excluded.fetched_at`,
    values: [
      toArrayLiteral(rows.map(({ ticketId }) => ticketId)),
      toArrayLiteral(rows.map(({ position }) => position)),
      sources.map(({ name }) => name),
      sources.map(({ key }) => key),
    ],
  });
}

/** Forgets answers that are no longer reused. */
export async function deleteOldEntries(db: Queryable, hours: number): Promise<void> {
  await db.query("DELETE FROM coverage_cache WHERE fetched_at < now() - $1 * interval '1 hour'", [hours]);
}
