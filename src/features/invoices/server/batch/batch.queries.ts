import { date, int8, text } from '#server/db/column-types.ts';
import { statement } from '#server/db/statement.ts';

/** Lists the drafts of a month in the order of their companies. @param firstDay of the month */
export const listMonthDrafts = statement({
  text: `SELECT id, company_code FROM invoices WHERE month = :firstDay AND status = 'draft' ORDER BY company_code, id`,
  params: { firstDay: date },
  row: { id: int8, company_code: text },
});

/** Lists the companies whose terms have an address for invoices. */
export const listReachable = statement({
  text: `SELECT company_code FROM client_terms WHERE invoice_emails <> '{}'`,
  row: { company_code: text },
});
