import { isToldUser } from '#features/accounts/server/told-users.service.ts';
import { bool, int8, listColumns, nullable, text, textOf } from '#server/db/column-types.ts';
import type { Queryable } from '#server/db/db.ts';
import { statement } from '#server/db/statement.ts';
import type { TicketKind } from '../../tickets.contract.ts';
import {
  newestFirst,
  type Scope,
  type TicketRow,
  ticketRow,
  type UploadedTicketRow,
  uploadedRow,
  uploaderOf,
} from '../tickets.queries.ts';

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
  /** The id of a device: tickets that had it. */
  deviceId?: number | undefined;
  /** The beginning of a number, or a part of the file's, company's or uploader's name, company code or email. */
  q?: string | undefined;
};

const valuesOf = (filter: TicketFilter) => {
  const { scope, companyCode, status, kind, serialDeleted, coverageDeleted, q } = filter;
  const { ticketNumber, before, deviceId } = filter;
  return {
    scope,
    companyCode,
    status,
    kind,
    serialDeleted,
    coverageDeleted,
    q,
    ticketNumber,
    before,
    deviceId,
  };
};

const has = (value: string) => `strpos(lower(${value}), lower(:q)) > 0`;

// Without a name, so that PostgreSQL plans for the filter of each call.
const narrowed = `(:scope::text IS NULL OR company_code = :scope) AND (:companyCode::text IS NULL OR company_code = :companyCode)
  AND (:status::ticket_status IS NULL OR status = :status) AND (:kind::text IS NULL OR coalesce(import_kind, 'order') = :kind)
  AND (:serialDeleted::boolean IS NULL OR serial_deleted = :serialDeleted)
  AND (:coverageDeleted::boolean IS NULL OR coverage_deleted = :coverageDeleted)
  AND (:q::text IS NULL OR ${has('file_name')} OR (:q ~ '^[0-9]+$' AND starts_with(ticket_number::text, :q))
    OR company_code IN (SELECT company_code FROM clients WHERE ${has('company_code')} OR ${has('company_name')})
    OR imported_by IN (SELECT id FROM users u WHERE ${isToldUser} AND (${has('name')} OR ${has('email')})))
  AND (:ticketNumber::bigint IS NULL OR ticket_number = :ticketNumber) AND (:before::bigint IS NULL OR ticket_number < :before)
  AND (:deviceId::bigint IS NULL OR ticket_number IN (SELECT unnest(tickets) FROM devices WHERE id = :deviceId))`;

const filters = {
  scope: nullable(text),
  companyCode: nullable(text),
  status: nullable(ticketRow.status),
  kind: nullable(textOf<TicketKind>()),
  serialDeleted: nullable(bool),
  coverageDeleted: nullable(bool),
  q: nullable(text),
  ticketNumber: nullable(int8),
  before: nullable(int8),
  deviceId: nullable(int8),
};

const listPage = statement({
  text: `SELECT ${listColumns(ticketRow)}, ${uploaderOf('tickets')}
     FROM tickets WHERE ${narrowed} ORDER BY ${newestFirst} LIMIT :limit OFFSET :offset`,
  params: { ...filters, limit: int8, offset: int8 },
  row: uploadedRow,
});

const count = statement({
  text: `SELECT count(*) FROM tickets WHERE ${narrowed}`,
  params: filters,
  row: { count: int8 },
});

/** Lists a page of the tickets that a filter selects, newest first, with their uploaders. */
export function listFoundTickets(
  db: Queryable,
  filter: TicketFilter,
  limit: number,
  offset: number,
): Promise<UploadedTicketRow[]> {
  return listPage.all(db, { ...valuesOf(filter), limit, offset });
}

/** Counts the tickets that a filter selects. */
export async function countFoundTickets(db: Queryable, filter: TicketFilter): Promise<number> {
  return (await count.one(db, valuesOf(filter))).count;
}
