import type { findTickets as findTicketsEndpoint } from '#features/tickets/tickets.contract.ts';
import type { Db } from '#server/db/db.ts';
import { type Caller, scopeOf } from '#server/http/caller.ts';
import { describePage } from '#shared/describe-page.ts';
import type { Answer, Query } from '#shared/endpoint.ts';
import { describeFound } from '../tickets.service.ts';
import { countFoundTickets, listFoundTickets } from './find-tickets.queries.ts';

type Found = Answer<typeof findTicketsEndpoint>;

/** Lists a page of the tickets in the caller's scope that match a search and filters, newest first. */
export async function findTickets(
  db: Db,
  caller: Caller,
  query: Query<typeof findTicketsEndpoint>,
): Promise<Found> {
  const {
    page,
    limit,
    company_code,
    serial_deleted,
    coverage_deleted,
    ticket_number,
    before,
    device_id,
    ...rest
  } = query;
  const filter = {
    ...rest,
    scope: scopeOf(caller),
    companyCode: company_code,
    serialDeleted: flagOf(serial_deleted),
    coverageDeleted: flagOf(coverage_deleted),
    ticketNumber: ticket_number === undefined ? undefined : Number(ticket_number),
    before: before === undefined ? undefined : Number(before),
    deviceId: device_id,
  };
  const offset = (page - 1) * limit;
  const rows = await listFoundTickets(db, filter, limit, offset);
  // No row on a later page tells nothing about the pages before it.
  const isLastPage = rows.length < limit && (rows.length > 0 || page === 1);
  const total = isLastPage ? offset + rows.length : await countFoundTickets(db, filter);
  return { data: rows.map(describeFound), pagination: describePage(page, limit, total) };
}

/** Returns a flag of a query as a boolean. */
export function flagOf(text: 'true' | 'false' | undefined): boolean | undefined {
  return text === undefined ? undefined : text === 'true';
}
