import { float8, listColumns, nullable, type RowOf } from '#server/db/column-types.ts';
import { statement } from '#server/db/statement.ts';
import { newestFirst, type Scope, ticketRow } from '../tickets.queries.ts';

const row = {
  ...ticketRow,
  /** Rows finished per minute in the last five minutes; null without any. */
  rate: nullable(float8),
};

export type ProgressRow = RowOf<typeof row>;

// The rate from the first minute with finished rows of the last five, or from the ticket's start if that is later.
/** @param tickets the table, or a query of some of its rows */
const withRateOf = (tickets: string) => `
  SELECT ${listColumns(ticketRow, 't')}, r.rate FROM ${tickets} t
  LEFT JOIN LATERAL (
    SELECT 60.0::float8 * sum(finished)
      / greatest(1, extract(epoch FROM now() - greatest(min(minute), t.started_at))) AS rate
    FROM ticket_minutes
    WHERE ticket_id = t.id AND minute > now() - interval '5 minutes' AND t.status = 'Processing'
  ) r ON true`;
const withRate = withRateOf('tickets');

export const findProgress = statement({
  name: 'find-progress',
  text: `${withRate} WHERE t.ticket_number = $1 AND ($2::text IS NULL OR t.company_code = $2)`,
  row,
}).firstWith<[ticketNumber: number, scope: Scope]>();

export const findNewestProgress = statement({
  text: withRateOf(
    `(SELECT * FROM tickets WHERE $1::text IS NULL OR company_code = $1 ORDER BY ${newestFirst} LIMIT 1)`,
  ),
  row,
}).firstWith<[scope: Scope]>();

/** Lists the newest tickets in the scope that have rows, or had some that are billed. */
export const listProgressRows = statement({
  text: `${withRateOf(`(SELECT * FROM tickets
       WHERE total > 0 AND (done > unbilled_count OR NOT (serial_deleted AND coverage_deleted))
         AND ($1::text IS NULL OR company_code = $1) AND ($2::text IS NULL OR company_code = $2)
       ORDER BY ${newestFirst} LIMIT $3)`)}
     ORDER BY ${newestFirst}`,
  row,
}).allWith<[scope: Scope, companyCode: string | undefined, limit: number]>();
