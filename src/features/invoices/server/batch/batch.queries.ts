import { array, date, int8, text } from '#server/db/column-types.ts';
import { statement } from '#server/db/statement.ts';

/** Lists the drafts of a month in the order of their companies. @param firstDay of the month */
export const listMonthDrafts = statement({
  text: `SELECT id, company_code FROM invoices WHERE month = :firstDay AND status = 'draft' ORDER BY company_code, id`,
  params: { firstDay: date },
  row: { id: int8, company_code: text },
});

/** Lists those of some tickets that are on an invoice that stands. */
export const listInvoicedTickets = statement({
  text: 'SELECT ticket_number FROM invoice_tickets WHERE ticket_number = ANY (:ticketNumbers::bigint[])',
  params: { ticketNumbers: array(int8) },
  row: { ticket_number: int8 },
});

/** Lists the companies whose terms have an address for invoices. */
export const listReachable = statement({
  text: `SELECT company_code FROM client_terms WHERE invoice_emails <> '{}'`,
  row: { company_code: text },
});

/** Lists the newest invoice of each company for a month that stands. */
export const listNewestIds = statement({
  text: `SELECT DISTINCT ON (company_code) id, company_code FROM invoices
     WHERE month = :firstDay AND status <> 'credited' ORDER BY company_code, id DESC`,
  params: { firstDay: date },
  row: { id: int8, company_code: text },
});
