import { float8, listColumns, nullable, type RowOf } from '#server/db/column-types.ts';
import type { Queryable } from '#server/db/db.ts';
import { statement } from '#server/db/statement.ts';
import { newestFirst, type Scope, ticketRow } from '../tickets.queries.ts';

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

// Asked more often than anything else.
const findByNumber = statement({
  name: 'find-progress',
  text: `${withRate} WHERE t.ticket_number = $1 AND ($2::text IS NULL OR t.company_code = $2)`,
  row,
});

/** One ticket by its number with its rate, when it lies in the scope. */
export function findProgress(
  db: Queryable,
  ticketNumber: number,
  scope: Scope,
): Promise<ProgressRow | undefined> {
  return findByNumber.first(db, [ticketNumber, scope]);
}

const findNewest = statement({
  name: 'find-newest-progress',
  text: `${withRate} WHERE $1::text IS NULL OR t.company_code = $1 ORDER BY ${newestFirst} LIMIT 1`,
  row,
});

/** The newest ticket in the scope with its rate. */
export function findNewestProgress(db: Queryable, scope: Scope): Promise<ProgressRow | undefined> {
  return findNewest.first(db, [scope]);
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
