import { computeMoney } from '#features/tickets/server/tickets.service.ts';
import { readBatches } from '#server/db/bulk/read-batches.ts';
import type { Queryable } from '#server/db/db.ts';
import { describePage } from '#shared/describe-page.ts';
import type { Paging } from '#shared/paging.ts';
import type { Statement, StatementLine, StatementSummary } from '../statements.contract.ts';
import {
  type BilledTicket,
  countBilledCompanies,
  listBilledCompanies,
  listBilledTickets,
  listCompaniesToInvoice,
  listEndedTickets,
  lockBilledTickets,
  type ScopedStatementQuery,
  sumByCompany,
} from './statements.queries.ts';

export { listCompaniesToInvoice, lockBilledTickets, sumByCompany };

/** Describes a ticket's line, its amounts rounded as screens round them (docs/rules.md, Money). */
function describeLine(ticket: BilledTicket): StatementLine {
  const money = computeMoney(ticket);
  return {
    ticket_number: String(ticket.ticket_number),
    date: ticket.day,
    file_name: ticket.file_name,
    kind: ticket.import_kind ?? 'order',
    rows: ticket.total,
    made_at: ticket.created_at.toISOString(),
    billable: ticket.billable,
    price: Math.round(money.price_per_data),
    subtotal: Math.round(money.subtotal),
    discount: Math.round(money.discount_amount),
    total: Math.round(money.total_amount),
  };
}

/** Lists one page of the statements of a month, with the sums of all of them. */
export async function listStatements(db: Queryable, scopedQuery: ScopedStatementQuery, paging: Paging) {
  const { page, limit } = paging;
  const offset = (page - 1) * limit;
  const companies = await listBilledCompanies.all(db, { ...scopedQuery, limit, offset });
  return {
    data: await readStatementsOf(db, scopedQuery, companies),
    pagination: describePage(page, limit, (await countBilledCompanies.one(db, scopedQuery)).count),
    summary: await sumStatements(db, scopedQuery),
  };
}

/** Sums all statements of a month. */
async function sumStatements(db: Queryable, scopedQuery: ScopedStatementQuery): Promise<StatementSummary> {
  const companies = await sumByCompany.all(db, scopedQuery);
  const sum = (amount: 'tickets' | 'billable' | 'subtotal' | 'discount' | 'total') =>
    companies.reduce((all, company) => all + company[amount], 0);
  return {
    companies: companies.length,
    tickets: sum('tickets'),
    billable: sum('billable'),
    subtotal: sum('subtotal'),
    discount: sum('discount'),
    total: sum('total'),
  };
}

async function readStatementsOf(
  db: Queryable,
  scopedQuery: ScopedStatementQuery,
  companies: Pick<Statement, 'company_code' | 'company_name'>[],
): Promise<Statement[]> {
  const codes = companies.map(({ company_code }) => company_code);
  const lines = Map.groupBy(
    await listBilledTickets.all(db, { ...scopedQuery, companyCodes: codes }),
    ({ company_code }) => company_code,
  );
  return companies.map((company) => {
    const tickets = (lines.get(company.company_code) ?? []).map(describeLine);
    return { ...company, tickets, total: tickets.reduce((sum, ticket) => sum + ticket.total, 0) };
  });
}

/** Reads tickets as they are on their statements, oldest first. One that has not ended, or was deleted, is left out. */
export async function listStatementLines(
  db: Queryable,
  ticketNumbers: string[],
  timeZone: string,
): Promise<StatementLine[]> {
  const tickets = await listEndedTickets.all(db, { ticketNumbers: ticketNumbers.map(Number), timeZone });
  return tickets.map(describeLine);
}

const companiesAtOnce = 50;

/** Reads all statements of a month in batches, by company code, on a single connection: each company once, whatever changes. */
export async function* readStatements(
  client: Queryable,
  scopedQuery: ScopedStatementQuery,
): AsyncGenerator<Statement[]> {
  const all = { ...scopedQuery, limit: null, offset: 0 };
  for await (const companies of readBatches(client, listBilledCompanies, all, companiesAtOnce))
    yield await readStatementsOf(client, scopedQuery, companies);
}
