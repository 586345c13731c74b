import { readStatements } from '#features/statements/server/statements.service.ts';
import type { Statement } from '#features/statements/statements.contract.ts';
import type { Db } from '#server/db/db.ts';
import { describePage } from '#shared/describe-page.ts';
import type { Paging } from '#shared/paging.ts';
import type { Invoice } from '../../invoices.contract.ts';
import type { MonthEndLine } from '../../month-end.contract.ts';
import { describeInvoices, type Today } from '../describe-invoice.ts';
import { listInvoicesById } from '../invoices.queries.ts';
import { listInvoicedTickets, listNewestIds, listReachable } from './batch.queries.ts';

/** Lists one page of the companies to bill for a month, by code. @param month as `YYYY-MM` */
export async function listMonthEnd(db: Db, when: Today, month: string, { page, limit }: Paging) {
  const firstDay = `${month}-01`;
  const statements = await readAll(db, firstDay, when.timeZone);
  const before = await readAll(db, firstDayBefore(firstDay), when.timeZone);
  const newest = new Map(
    (await listNewestIds.all(db, { firstDay })).map(({ id, company_code }) => [company_code, id]),
  );
  const codes = [...new Set([...statements.keys(), ...before.keys(), ...newest.keys()])].toSorted();
  const shown = codes.slice((page - 1) * limit, page * limit);
  const invoices = await readInvoices(
    db,
    shown.flatMap((code) => newest.get(code) ?? []),
    when,
  );
  const tickets = shown.flatMap((code) => statements.get(code)?.tickets ?? []);
  const ticketNumbers = tickets.map(({ ticket_number }) => Number(ticket_number));
  const placed = await listInvoicedTickets.all(db, { ticketNumbers });
  const invoiced = new Set(placed.map(({ ticket_number }) => String(ticket_number)));
  const reachable = new Set((await listReachable.all(db)).map(({ company_code }) => company_code));
  const data = shown.map((company_code): MonthEndLine => {
    const statement = statements.get(company_code);
    const invoice = invoices.get(company_code);
    const company = statement ?? before.get(company_code) ?? invoice;
    const open = (statement?.tickets ?? []).filter(({ ticket_number }) => !invoiced.has(ticket_number));
    return {
      company_code,
      company_name: company?.company_name ?? company_code,
      statement: sum(statement),
      before: sum(before.get(company_code)),
      open: open.reduce((total, ticket) => total + ticket.total, 0),
      invoice: invoice ? pick(invoice) : null,
      has_address: reachable.has(company_code),
    };
  });
  return { data, pagination: describePage(page, limit, codes.length) };
}

/** Reads the statements of a month by the company's code. */
async function readAll(db: Db, firstDay: string, timeZone: string): Promise<Map<string, Statement>> {
  const found = new Map<string, Statement>();
  for await (const statements of readStatements(db, { firstDay, timeZone, companyCode: null })) {
    for (const statement of statements) found.set(statement.company_code, statement);
  }
  return found;
}

function firstDayBefore(firstDay: string): string {
  const day = new Date(`${firstDay}T00:00:00Z`);
  day.setUTCMonth(day.getUTCMonth() - 1);
  return day.toISOString().slice(0, 10);
}

async function readInvoices(db: Db, ids: number[], when: Today): Promise<Map<string, Invoice>> {
  const invoices = await describeInvoices(db, await listInvoicesById.all(db, { ids }), when);
  return new Map(invoices.map((invoice) => [invoice.company_code, invoice]));
}

function sum(statement: Statement | undefined): MonthEndLine['statement'] {
  const billable = (statement?.tickets ?? []).reduce((rows, ticket) => rows + ticket.billable, 0);
  return { total: statement?.total ?? 0, billable };
}

const pick = ({ _id, number, status, total, sent }: Invoice) => ({ _id, number, status, total, sent });
