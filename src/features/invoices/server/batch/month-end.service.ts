import { sumByCompany } from '#features/statements/server/statements.service.ts';
import type { Db } from '#server/db/db.ts';
import { describePage } from '#shared/describe-page.ts';
import type { Paging } from '#shared/paging.ts';
import type { Invoice } from '../../invoices.contract.ts';
import type { MonthEndLine } from '../../month-end.contract.ts';
import { describeInvoices, type Today } from '../describe-invoice.ts';
import { listWithoutLines } from '../invoices.queries.ts';
import { listReachable, listStandingIds } from './batch.queries.ts';

const nothing = { total: 0, billable: 0, open: 0 };

/** Lists one page of the companies to bill for a month, by code. @param month as `YYYY-MM` */
export async function listMonthEnd(db: Db, when: Today, month: string, { page, limit }: Paging) {
  const firstDay = `${month}-01`;
  const sums = await readSums(db, firstDay, when);
  const sumsBefore = await readSums(db, firstDayBefore(firstDay), when);
  const standingInvoices = await listStandingIds.all(db, { firstDay });
  const companies = standingInvoices.map(({ company_code }) => company_code);
  const codes = [...new Set([...sums.keys(), ...sumsBefore.keys(), ...companies])].toSorted();
  const pageCodes = codes.slice((page - 1) * limit, page * limit);
  const ids = standingInvoices
    .filter(({ company_code }) => pageCodes.includes(company_code))
    .map(({ id }) => id);
  const invoices = await describeInvoices(db, await listWithoutLines.all(db, { ids }), when);
  const invoicesOf = Map.groupBy(invoices, ({ company_code }) => company_code);
  const reachable = new Set((await listReachable.all(db)).map(({ company_code }) => company_code));
  const data = pageCodes.map((company_code): MonthEndLine => {
    const { total, billable, open } = sums.get(company_code) ?? nothing;
    const before = sumsBefore.get(company_code) ?? nothing;
    const companyInvoices = invoicesOf.get(company_code) ?? [];
    const company = sums.get(company_code) ?? sumsBefore.get(company_code) ?? companyInvoices[0];
    return {
      company_code,
      company_name: company?.company_name ?? company_code,
      statement: { total, billable },
      before: { total: before.total, billable: before.billable },
      open,
      invoices: companyInvoices.map(pick),
      has_address: reachable.has(company_code),
    };
  });
  return { data, pagination: describePage(page, limit, codes.length) };
}

/** Reads the sums of the statements of a month by the company's code. */
async function readSums(db: Db, firstDay: string, { timeZone }: Today) {
  const sums = await sumByCompany.all(db, { firstDay, timeZone, companyCode: null });
  return new Map(sums.map((company) => [company.company_code, company]));
}

function firstDayBefore(firstDay: string): string {
  const day = new Date(`${firstDay}T00:00:00Z`);
  day.setUTCMonth(day.getUTCMonth() - 1);
  return day.toISOString().slice(0, 10);
}

const pick = ({ _id, number, status, total, sent }: Invoice) => ({ _id, number, status, total, sent });
