import type { TicketKind } from '#features/tickets/tickets.contract.ts';
import {
  date,
  float8,
  int4,
  int8,
  nullable,
  type RowOf,
  text,
  textOf,
  timestamptz,
} from '#server/db/column-types.ts';
import type { Queryable } from '#server/db/db.ts';
import { statement } from '#server/db/statement.ts';
import type { FigureByTicket } from '../home.contract.ts';
import { amountOf, createdIn } from './home.queries.ts';

const row = {
  ticket_number: int8,
  company_code: text,
  file_name: nullable(text),
  kind: textOf<TicketKind>(),
  total: int4,
  created_at: timestamptz,
  value: float8,
  /** All tickets with a part of the figure, also those past the limit. */
  tickets: int4,
};

const maxTickets = 100;

const select = (value: string, from: string) =>
  `SELECT ticket_number, company_code, file_name, kind, total, created_at, value::float8, count(*) OVER ()::int AS tickets
     FROM (SELECT t.ticket_number, t.company_code, t.file_name, coalesce(t.import_kind, 'order') AS kind, t.total,
         t.created_at, ${value} AS value FROM ${from}) v
     WHERE value > 0 ORDER BY value DESC, ticket_number DESC LIMIT ${maxTickets}`;

const failedByTicket = statement({
  text: select(
    't.failed',
    'tickets t WHERE NOT t.coverage_deleted AND (:company::text IS NULL OR t.company_code = :company)',
  ),
  params: { company: nullable(text) },
  row,
});

/** Lists the tickets of a company (null: of all) that have failed rows, without those whose results were deleted. */
export async function listFailedByTicket(db: Queryable, company: string | null) {
  return asFigure(await failedByTicket.all(db, { company }));
}

const processedByTicket = statement({
  text: select(
    'm.finished',
    `(SELECT ticket_id, sum(finished) AS finished FROM ticket_minutes
        WHERE minute >= :day::date::timestamp AT TIME ZONE :timezone
          AND minute < (:day::date + 1)::timestamp AT TIME ZONE :timezone
        GROUP BY ticket_id) m JOIN tickets t ON t.id = m.ticket_id`,
  ),
  params: { day: date, timezone: text },
  row,
});

/** Lists the tickets whose serials finished on a day (`YYYY-MM-DD`) of a time zone. */
export async function listProcessedByTicket(db: Queryable, day: string, timezone: string) {
  return asFigure(await processedByTicket.all(db, { day, timezone }));
}

const revenueByTicket = statement({
  text: select(amountOf, `tickets t WHERE ${createdIn(':firstDay', ':timezone')}`),
  params: { firstDay: date, timezone: text },
  row,
});

/** Lists the tickets created in a month (`YYYY-MM`) of a time zone that have revenue, in rupiah after discount. */
export async function listRevenueByTicket(db: Queryable, month: string, timezone: string) {
  const firstDay = `${month}-01`;
  return asFigure(await revenueByTicket.all(db, { firstDay, timezone }));
}

function asFigure(rows: RowOf<typeof row>[]): FigureByTicket {
  const data = rows.map(({ ticket_number, company_code, file_name, kind, total, created_at, value }) => ({
    ticket_number: String(ticket_number),
    company_code,
    file_name,
    kind,
    total,
    date: created_at.toISOString(),
    value,
  }));
  return { data, tickets: rows[0]?.tickets ?? 0 };
}
