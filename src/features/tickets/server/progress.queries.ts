import { float8, listColumns, nullable, type RowOf } from '#server/column-types.ts';
import type { Queryable } from '#server/db.ts';
import { statement } from '#server/statement.ts';
import { newestFirst, type Scope, ticketRow } from './tickets.queries.ts';

const row = {
  ...ticketRow,
  /** Rows finished a minute, of late; null where none was. */
  rate: nullable(float8),
};

export type ProgressRow = RowOf<typeof row>;

// The rate of the last five minutes, from the first of them in which a row was finished. A minute's row says nothing
// about when in the minute work began; where the ticket itself began later, its start counts.
const withRate = `
  SELECT ${listColumns(ticketRow, 't')}, r.rate FROM tickets t
  LEFT JOIN LATERAL (
    SELECT 60.0::float8 * sum(finished)
      / greatest(1, extract(epoch FROM now() - greatest(min(minute), t.started_at))) AS rate
    FROM ticket_minutes
    WHERE ticket_id = t.id AND minute > now() - interval '5 minutes' AND t.status = 'Processing'
  ) r ON true`;

const findWithRate = statement({ name: 'find-progress', text: `${withRate} WHERE t.id = $1`, row });

/** One ticket with its rate. */
export function findProgress(db: Queryable, ticketId: number): Promise<ProgressRow | undefined> {
  return findWithRate.first(db, [ticketId]);
}

const listWithRate = statement({
  text: `${withRate}
     WHERE t.total > 0 AND NOT (t.serial_deleted AND t.coverage_deleted)
       AND ($1::text IS NULL OR t.company_code = $1) AND ($2::text IS NULL OR t.company_code = $2)
     ORDER BY ${newestFirst} LIMIT $3`,
  row,
});

/** The newest tickets in the scope that have rows. */
export function listProgressRows(
  db: Queryable,
  scope: Scope,
  companyCode: string | undefined,
  limit: number,
): Promise<ProgressRow[]> {
  return listWithRate.all(db, [scope, companyCode ?? null, limit]);
}
