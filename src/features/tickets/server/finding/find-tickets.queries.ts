import { int8, jsonb, listColumns, nullable, type RowOf } from '#server/db/column-types.ts';
import type { Queryable } from '#server/db/db.ts';
import { statement } from '#server/db/statement.ts';
import type { TicketKind } from '../../tickets.contract.ts';
import { newestFirst, type Scope, type TicketRow, ticketRow } from '../tickets.queries.ts';

/** The filters of a list of tickets. A missing one filters nothing. */
export type TicketFilter = {
  scope: Scope;
  companyCode?: string | undefined;
  status?: TicketRow['status'] | undefined;
  kind?: TicketKind | undefined;
  serialDeleted?: boolean | undefined;
  coverageDeleted?: boolean | undefined;
  ticketNumber?: number | undefined;
  /** A number: tickets that were made before. */
  before?: number | undefined;
  /** The beginning of a number, or a part of the file's, company's or uploader's name, company code or email. */
  q?: string | undefined;
};

const valuesOf = (filter: TicketFilter) => {
  const { scope, companyCode, status, kind, serialDeleted, coverageDeleted, q } = filter;
  const { ticketNumber, before } = filter;
  return [scope, companyCode, status, kind, serialDeleted, coverageDeleted, q, ticketNumber, before];
};

/** Users of a company are not told about superadmins. */
const isShown = "($1::text IS NULL OR u.role <> 'superadmin')";

const has = (value: string) => `strpos(lower(${value}), lower($7)) > 0`;

// Without a name, so that PostgreSQL plans for the filter of each call.
const narrowed = `($1::text IS NULL OR company_code = $1) AND ($2::text IS NULL OR company_code = $2)
  AND ($3::ticket_status IS NULL OR status = $3) AND ($4::text IS NULL OR coalesce(import_kind, 'order') = $4)
  AND ($5::boolean IS NULL OR serial_deleted = $5) AND ($6::boolean IS NULL OR coverage_deleted = $6)
  AND ($7::text IS NULL OR ${has('file_name')} OR ($7 ~ '^[0-9]+$' AND starts_with(ticket_number::text, $7))
    OR company_code IN (SELECT company_code FROM clients WHERE ${has('company_code')} OR ${has('company_name')})
    OR imported_by IN (SELECT id FROM users u WHERE ${isShown} AND (${has('name')} OR ${has('email')})))
  AND ($8::bigint IS NULL OR ticket_number = $8) AND ($9::bigint IS NULL OR ticket_number < $9)`;

const foundRow = { ...ticketRow, uploader: nullable(jsonb<{ id: number; name: string; email: string }>()) };
export type FoundTicketRow = RowOf<typeof foundRow>;

const listPage = statement({
  text: `SELECT ${listColumns(ticketRow)}, (
         SELECT jsonb_build_object('id', u.id, 'name', u.name, 'email', u.email) FROM users u
         WHERE u.id = imported_by AND ${isShown}) AS uploader
     FROM tickets WHERE ${narrowed} ORDER BY ${newestFirst} LIMIT $10 OFFSET $11`,
  row: foundRow,
});

const count = statement({
  text: `SELECT count(*) FROM tickets WHERE ${narrowed}`,
  row: { count: int8 },
});

/** Lists a page of the tickets that a filter selects, newest first, with their uploaders. */
export function listFoundTickets(
  db: Queryable,
  filter: TicketFilter,
  limit: number,
  offset: number,
): Promise<FoundTicketRow[]> {
  return listPage.all(db, [...valuesOf(filter), limit, offset]);
}

/** Counts the tickets that a filter selects. */
export async function countFoundTickets(db: Queryable, filter: TicketFilter): Promise<number> {
  return (await count.one(db, valuesOf(filter))).count;
}
