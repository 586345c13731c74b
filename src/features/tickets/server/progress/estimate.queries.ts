import { float8, int8, nullable, text } from '#server/db/column-types.ts';
import { statement } from '#server/db/statement.ts';

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
