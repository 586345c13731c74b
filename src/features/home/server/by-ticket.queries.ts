import { float8, int4, int8, nullable, type RowOf, text } from '#server/db/column-types.ts';
import type { Queryable } from '#server/db/db.ts';
import { type Statement, statement } from '#server/db/statement.ts';
import type { FigureByTicket } from '../home.contract.ts';
import { amountOf, createdIn } from './home.queries.ts';

const row = {
  ticket_number: int8,
  company_code: text,
  file_name: nullable(text),
  value: float8,
  /** All tickets with a part of the figure, also those past the limit. */
  tickets: int4,
};

const maxTickets = 100;

const declare = (value: string, from: string) =>
  statement({
    text: `SELECT ticket_number, company_code, file_name, value::float8, count(*) OVER ()::int AS tickets
     FROM (SELECT t.ticket_number, t.company_code, t.file_name, ${value} AS value FROM ${from}) v
     WHERE value > 0 ORDER BY value DESC, ticket_number DESC LIMIT ${maxTickets}`,
    row,
  });

const failed = declare(
  't.failed',
  'tickets t WHERE NOT t.coverage_deleted AND ($1::text IS NULL OR t.company_code = $1)',
);

/** Lists the tickets of a company (null: of all) that have failed rows, without those whose results were deleted. */
export function listFailedByTicket(db: Queryable, company: string | null) {
  return read(failed, db, [company]);
}

const processed = declare(
  'm.finished',
  `(SELECT ticket_id, sum(finished) AS finished FROM ticket_minutes
        WHERE minute >= $1::date::timestamp AT TIME ZONE $2
          AND minute < ($1::date + 1)::timestamp AT TIME ZONE $2
        GROUP BY ticket_id) m JOIN tickets t ON t.id = m.ticket_id`,
);

/** Lists the tickets whose serials finished on a day (`YYYY-MM-DD`) of a time zone. */
export function listProcessedByTicket(db: Queryable, day: string, timezone: string) {
  return read(processed, db, [day, timezone]);
}

const revenue = declare(amountOf, `tickets t WHERE ${createdIn('$1', '$2')}`);

/** Lists the tickets created in a month (`YYYY-MM`) of a time zone that have revenue, in rupiah after discount. */
export function listRevenueByTicket(db: Queryable, month: string, timezone: string) {
  return read(revenue, db, [`${month}-01`, timezone]);
}

async function read(from: Statement<typeof row>, db: Queryable, values: unknown[]): Promise<FigureByTicket> {
  const rows = await from.all(db, values);
  return { data: rows.map(describe), tickets: rows[0]?.tickets ?? 0 };
}

function describe({ ticket_number, company_code, file_name, value }: RowOf<typeof row>) {
  return { ticket_number: String(ticket_number), company_code, file_name, value };
}
