import { float8, int8, listColumns, nullable, type RowOf, text } from '#server/db/column-types.ts';
import { statement } from '#server/db/statement.ts';
import { invoiceOf, newestFirst, ticketRow, uploadedRow, uploaderOf } from '../tickets.queries.ts';

const { ticket_number, company_code, status, data_count, total, done, failed, unavailable } = ticketRow;
const { file_name, import_kind, serial_deleted, coverage_deleted, created_at } = ticketRow;
const { waiting_for, waiting_source, waiting_cause, waiting_since } = ticketRow;
/** Few columns, because every open app polls them. */
const columns = {
  ...{ ticket_number, company_code, status, data_count, total, done, failed, unavailable },
  ...{ file_name, import_kind, serial_deleted, coverage_deleted, created_at },
  ...{ waiting_for, waiting_source, waiting_cause, waiting_since },
};
const row = {
  ...columns,
  invoice: ticketRow.invoice,
  uploader: uploadedRow.uploader,
  /** Rows finished per minute in the last five minutes; null without any. */
  rate: nullable(float8),
};

export type ProgressRow = RowOf<typeof row>;

// The rate from the first minute with finished rows of the last five, or from the ticket's start if that is later.
/** @param tickets the table, or a query of some of its rows */
const withRateOf = (tickets: string) => `
  SELECT ${listColumns(columns, 't')}, ${invoiceOf('t')}, ${uploaderOf('t')}, r.rate FROM ${tickets} t
  LEFT JOIN LATERAL (
    SELECT 60.0::float8 * sum(finished)
      / greatest(1, extract(epoch FROM now() - greatest(min(minute), t.started_at))) AS rate
    FROM ticket_minutes
    WHERE ticket_id = t.id AND minute > now() - interval '5 minutes' AND t.status = 'Processing'
  ) r ON true`;
const withRate = withRateOf('tickets');

export const findProgress = statement({
  name: 'find-progress',
  text: `${withRate} WHERE t.ticket_number = :ticketNumber AND (:scope::text IS NULL OR t.company_code = :scope)`,
  params: { ticketNumber: int8, scope: nullable(text) },
  row,
});

export const findNewestProgress = statement({
  text: withRateOf(
    `(SELECT * FROM tickets WHERE :scope::text IS NULL OR company_code = :scope ORDER BY ${newestFirst} LIMIT 1)`,
  ),
  params: { scope: nullable(text) },
  row,
});

const newestOf = (condition: string) => `
         (SELECT * FROM tickets WHERE total > 0 AND ${condition}
            AND (:scope::text IS NULL OR company_code = :scope) AND (:companyCode::text IS NULL OR company_code = :companyCode)
          ORDER BY ${newestFirst} LIMIT :limit)`;
const isRunning = "status IN ('Pending', 'Processing')";

/** Lists the newest tickets in the scope that have rows, or had some that are billed. Running ones come before newer ended ones. */
export const listProgressRows = statement({
  // Two parts, each of which is read from an index.
  text: `${withRateOf(`(SELECT * FROM (${newestOf(isRunning)}
         UNION ALL${newestOf(`NOT ${isRunning} AND (done > unbilled_count OR NOT (serial_deleted AND coverage_deleted))`)}) AS p
       ORDER BY ${isRunning} DESC, ${newestFirst} LIMIT :limit)`)}
     ORDER BY ${newestFirst}`,
  params: { scope: nullable(text), companyCode: nullable(text), limit: int8 },
  row,
});

/**
 * Finds how many rows of a company wait for their result, and how many its last ten Completed tickets of 30 days finished
 * per second. Minutes in which a ticket finished nothing do not count: it was waiting or cancelled then.
 */
export const findWorkload = statement({
  name: 'find-workload',
  text: `SELECT
       (SELECT coalesce(sum(total - done - failed), 0)::bigint FROM tickets
        WHERE company_code = :companyCode AND status IN ('Pending', 'Processing') AND total > 0) AS waiting,
       (SELECT sum(m.finished)
          / sum(greatest(1, least(60 * m.minutes, extract(epoch FROM t.finished_at - t.started_at))))::float8
        FROM (SELECT id, started_at, finished_at FROM tickets
              WHERE company_code = :companyCode AND status = 'Completed' AND finished_at > now() - interval '30 days'
              ORDER BY finished_at DESC LIMIT 10) t
        JOIN LATERAL (SELECT sum(finished) AS finished, count(*) AS minutes
                      FROM ticket_minutes WHERE ticket_id = t.id) m ON m.minutes > 0) AS rows_per_second`,
  params: { companyCode: text },
  row: { waiting: int8, rows_per_second: nullable(float8) },
});
