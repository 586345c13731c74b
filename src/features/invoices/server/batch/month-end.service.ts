import { sumByCompany } from '#features/statements/server/statements.service.ts';
import type { Db } from '#server/db/db.ts';
import { monthAfter } from '#shared/calendar-day.ts';
import { describePage } from '#shared/describe-page.ts';
import type { Paging } from '#shared/paging.ts';
import type { Invoice } from '../../invoices.contract.ts';
import type { MonthEndLine, MonthEndSums } from '../../month-end.contract.ts';
import { describeInvoices, type Today } from '../describe-invoice.ts';
import { listMonthInvoices } from '../invoices.queries.ts';
import { listReachable } from './batch.queries.ts';

const nothing = { total: 0, open: 0 };

/** Lists one page of the companies to bill for a month, by code, with the sums of all. @param month as `YYYY-MM` */
export async function listMonthEnd(db: Db, when: Today, month: string, { page, limit }: Paging) {
  const statements = await readStatementSums(db, month, when);
  const statementsBefore = await readStatementSums(db, monthAfter(month, -1), when);
  const standing = await listMonthInvoices.all(db, { firstDay: firstDayOf(month) });
  const invoices = await describeInvoices(db, standing, when);
  const invoicesOf = Map.groupBy(invoices, ({ company_code }) => company_code);
  const codes = [
    ...new Set([...statements.keys(), ...statementsBefore.keys(), ...invoicesOf.keys()]),
  ].toSorted();
  const reachable = new Set((await listReachable.all(db)).map(({ company_code }) => company_code));
  const data = codes.slice((page - 1) * limit, page * limit).map((company_code): MonthEndLine => {
    const { total, open } = statements.get(company_code) ?? nothing;
    const before = statementsBefore.get(company_code) ?? nothing;
    const companyInvoices = invoicesOf.get(company_code) ?? [];
    const company = statements.get(company_code) ?? statementsBefore.get(company_code) ?? companyInvoices[0];
    return {
      company_code,
      company_name: company?.company_name ?? company_code,
      statement: { total },
      before: { total: before.total },
      open,
      invoices: companyInvoices.map(pick),
      has_address: reachable.has(company_code),
    };
  });
  const openAmounts = [...statements.values()].map(({ company_code, open }) => ({
    company_code,
    total: open,
    ppn: 0,
  }));
  const { draft: drafts = [], issued = [] } = Object.groupBy(invoices, ({ status }) =>
    status === 'draft' ? 'draft' : 'issued',
  );
  const sums: MonthEndSums = { open: sumUp(openAmounts), drafts: sumUp(drafts), issued: sumUp(issued) };
  return { data, sums, pagination: describePage(page, limit, codes.length) };
}

const firstDayOf = (month: string) => `${month}-01`;

/** Reads the sums of the statements of a month by the company's code. */
async function readStatementSums(db: Db, month: string, { timeZone }: Today) {
  const sums = await sumByCompany.all(db, { firstDay: firstDayOf(month), timeZone, companyCode: null });
  return new Map(sums.map((company) => [company.company_code, company]));
}

function sumUp(amounts: { company_code: string; total: number; ppn: number }[]): MonthEndSums['open'] {
  const owed = amounts.filter(({ total }) => total > 0);
  return {
    companies: new Set(owed.map(({ company_code }) => company_code)).size,
    total: owed.reduce((sum, { total }) => sum + total, 0),
    ppn: owed.reduce((sum, { ppn }) => sum + ppn, 0),
  };
}

const pick = ({ _id, number, status, total, sent }: Invoice) => ({ _id, number, status, total, sent });
