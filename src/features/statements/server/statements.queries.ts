import type { TicketKind } from '#features/tickets/tickets.contract.ts';
import {
  array,
  date,
  float8,
  int4,
  int8,
  notNull,
  nullable,
  numeric,
  type RowOf,
  text,
  textOf,
  timestamptz,
} from '#server/db/column-types.ts';
import type { Queryable } from '#server/db/db.ts';
import { statement } from '#server/db/statement.ts';

/** The month (its first day), the time zone that it is counted in, and the company (null: all). */
export type ScopedStatementQuery = { firstDay: string; timeZone: string; companyCode: string | null };

/** SQL condition: a ticket that ended in a month of a time zone, of a company (null: any). */
const endedInMonth = `t.status IN ('Completed', 'Cancelled')
     AND t.finished_at >= :firstDay::date::timestamp AT TIME ZONE :timeZone
     AND t.finished_at < (:firstDay::date + interval '1 month')::timestamp AT TIME ZONE :timeZone
     AND (:companyCode::text IS NULL OR t.company_code = :companyCode)`;

const monthParams = { firstDay: date, timeZone: text, companyCode: nullable(text) };

const company = { company_code: text, company_name: text };

/** Lists the companies of which a ticket ended in a month, by code. */
export const listBilledCompanies = statement({
  text: `SELECT company_code, company_name FROM clients c
     WHERE EXISTS (SELECT FROM tickets t WHERE t.company_code = c.company_code AND ${endedInMonth})
     ORDER BY company_code LIMIT :limit OFFSET :offset`,
  params: { ...monthParams, limit: nullable(int8), offset: int8 },
  row: company,
});

/** Lists the companies with tickets of a month that are on no invoice that stands, by code. */
export const listCompaniesToInvoice = statement({
  text: `SELECT DISTINCT t.company_code FROM tickets t WHERE ${endedInMonth}
       AND NOT EXISTS (SELECT FROM invoice_tickets i WHERE i.ticket_number = t.ticket_number)
     ORDER BY t.company_code`,
  params: monthParams,
  row: { company_code: text },
});

export const countBilledCompanies = statement({
  text: `SELECT count(DISTINCT t.company_code) FROM tickets t WHERE ${endedInMonth}`,
  params: monthParams,
  row: { count: int8 },
});

/** SQL: the billed rows of a ticket, their price and its discount in rupiah, unrounded (docs/rules.md, Money). */
const billable = 't.done - t.unbilled_count';
const subtotal = `(${billable}) * t.price * t.current_dollar_price`;
const discount = `${subtotal} * t.discount * 0.01`;

/**
 * Sums up the tickets of each company that ended in a month, by code. Each amount of a ticket is rounded first, as on
 * its statement. `open`: the total of the tickets that are on no invoice that stands.
 */
export const sumByCompany = statement({
  text: `SELECT t.company_code, c.company_name, count(*) AS tickets, sum(${billable}) AS billable,
       sum(round(${subtotal}))::float8 AS subtotal, sum(round(${discount}))::float8 AS discount,
       sum(round(${subtotal} - ${discount}))::float8 AS total,
       coalesce(sum(round(${subtotal} - ${discount})) FILTER (WHERE i.ticket_number IS NULL), 0)::float8 AS open
     FROM tickets t JOIN clients c USING (company_code) LEFT JOIN invoice_tickets i ON i.ticket_number = t.ticket_number
     WHERE ${endedInMonth} GROUP BY t.company_code, c.company_name ORDER BY t.company_code`,
  params: monthParams,
  row: {
    ...company,
    tickets: int8,
    billable: notNull(int8),
    subtotal: notNull(float8),
    discount: notNull(float8),
    total: notNull(float8),
    open: float8,
  },
});

const billedTicket = {
  ...company,
  ticket_number: int8,
  day: text,
  file_name: nullable(text),
  import_kind: nullable(textOf<TicketKind>()),
  total: int4,
  created_at: timestamptz,
  billable: int4,
  price: numeric,
  current_dollar_price: int4,
  discount: int4,
};
export type BilledTicket = RowOf<typeof billedTicket>;

/** SQL: the columns of `BilledTicket`, with days of the time zone `:timeZone`. */
const selectBilled = `SELECT t.company_code, c.company_name, t.ticket_number,
       to_char(t.finished_at AT TIME ZONE :timeZone, 'YYYY-MM-DD') AS day, t.file_name, t.import_kind,
       t.total, t.created_at, ${billable} AS billable, t.price, t.current_dollar_price, t.discount
     FROM tickets t JOIN clients c USING (company_code)`;

/** Lists the tickets of some companies that ended in a month, by company, oldest first. */
export const listBilledTickets = statement({
  text: `${selectBilled}
     WHERE ${endedInMonth} AND t.company_code = ANY (:companyCodes)
     ORDER BY t.company_code, t.finished_at, t.ticket_number`,
  params: { ...monthParams, companyCodes: array(text) },
  row: billedTicket,
});

/** Lists those of some tickets that have ended, oldest first. */
export const listEndedTickets = statement({
  text: `${selectBilled}
     WHERE t.ticket_number = ANY (:ticketNumbers::bigint[]) AND t.status IN ('Completed', 'Cancelled')
     ORDER BY t.finished_at, t.ticket_number`,
  params: { ticketNumbers: array(int8), timeZone: text },
  row: billedTicket,
});

const lockTickets = statement({
  text: `SELECT t.ticket_number FROM tickets t WHERE ${endedInMonth} ORDER BY t.ticket_number FOR SHARE`,
  params: monthParams,
  row: { ticket_number: int8 },
});

/** Locks the tickets of a company's statement against changes until the transaction ends. @returns their numbers */
export async function lockBilledTickets(
  tx: Queryable,
  scopedQuery: ScopedStatementQuery & { companyCode: string },
): Promise<number[]> {
  return (await lockTickets.all(tx, scopedQuery)).map(({ ticket_number }) => ticket_number);
}
