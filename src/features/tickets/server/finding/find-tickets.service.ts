import type { findTickets as findTicketsEndpoint } from '#features/tickets/tickets.contract.ts';
import type { Db } from '#server/db/db.ts';
import { flagOf } from '#server/db/filter-sql.queries.ts';
import { type Caller, scopeOf } from '#server/http/caller.ts';
import { describePage } from '#shared/describe-page.ts';
import type { Answer, Query } from '#shared/endpoint.ts';
import { describeTicketMatch } from '../tickets.service.ts';
import { countMatchingTickets, listMatchingTickets } from './find-tickets.queries.ts';

type TicketMatchPage = Answer<typeof findTicketsEndpoint>;

/** Lists a page of the tickets in the caller's scope that match a search and filters, newest first. */
export async function findTickets(
  db: Db,
  caller: Caller,
  query: Query<typeof findTicketsEndpoint>,
): Promise<TicketMatchPage> {
  const { page, limit, company_code, status, kind, q, ticket_number, before, device_id } = query;
  const filters = {
    scope: scopeOf(caller),
    company_code,
    status,
    kind,
    serial_deleted: flagOf(query.serial_deleted),
    coverage_deleted: flagOf(query.coverage_deleted),
    q,
    ticket_number: ticket_number === undefined ? undefined : Number(ticket_number),
    before: before === undefined ? undefined : Number(before),
    device_id,
  };
  const offset = (page - 1) * limit;
  const rows = await listMatchingTickets.all(db, { ...filters, limit, offset });
  // No row on a later page tells nothing about the pages before it.
  const isLastPage = rows.length < limit && (rows.length > 0 || page === 1);
  const total = isLastPage ? offset + rows.length : (await countMatchingTickets.one(db, filters)).count;
  return {
    data: rows.map((row) => describeTicketMatch(row, caller)),
    pagination: describePage(page, limit, total),
  };
}
