import { z } from 'zod';
import { ticketKind } from '#features/tickets/tickets.contract.ts';
import { companyFilter, fileFormat } from '#shared/answers.ts';
import { endpoint } from '#shared/endpoint.ts';
import { pageOf, pagingQuery } from '#shared/paging.ts';

/** A whole amount. The highest prices and rates make amounts beyond the exact integers of JSON. */
export const rupiah = z.number().multipleOf(1).describe('Whole rupiah');

/** One ticket of a statement. */
export const statementLine = z
  .object({
    ticket_number: z.string(),
    date: z.string().describe('The day on which the ticket ended, in APP_TIMEZONE'),
    file_name: z.string().nullable(),
    kind: ticketKind.optional(),
    rows: z.int().optional().describe('All rows of the ticket'),
    made_at: z.string().optional().describe('The instant when the ticket was made'),
    billable: z.int().describe('Rows that are billed'),
    price: rupiah.describe('Rupiah per row, before the discount'),
    subtotal: rupiah,
    discount: rupiah.describe('The discount as an amount'),
    total: rupiah,
  })
  .meta({
    id: 'StatementLine',
    description:
      'One ticket of a statement. Invoices issued by older releases lack its kind, rows and `made_at`',
  });
export type StatementLine = z.infer<typeof statementLine>;

const statement = z
  .object({
    company_code: z.string(),
    company_name: z.string(),
    tickets: z.array(statementLine).describe('The tickets that ended in the month, oldest first'),
    total: rupiah.describe('The sum of the tickets’ totals'),
  })
  .meta({ id: 'Statement', description: 'What a company owes for a month' });
export type Statement = z.infer<typeof statement>;

const summary = z
  .object({
    companies: z.int(),
    tickets: z.int(),
    billable: z.int(),
    subtotal: rupiah,
    discount: rupiah,
    total: rupiah,
  })
  .describe('The sums of all statements of the month, on whatever page');
export type StatementSummary = z.infer<typeof summary>;

export const statementMonth = z
  .string()
  .regex(/^(?:19[7-9]\d|[2-9]\d{3})-(?:0[1-9]|1[0-2])$/)
  .meta({ description: 'A month of APP_TIMEZONE, as `YYYY-MM`', examples: ['2026-11'] });

const statementQuery = z.object({
  month: statementMonth,
  company_code: companyFilter.optional(),
});

export const listStatements = endpoint({
  route: 'GET /statements',
  access: 'admin',
  summary: 'List the statements of a month by company; company administrators see that of their company',
  query: pagingQuery.extend(statementQuery.shape),
  heavy: () => true,
  readOnly: true,
  response: pageOf(statement).extend({ summary }).meta({ id: 'StatementPage' }),
});

export const downloadStatements = endpoint({
  route: 'GET /statements/download',
  access: 'admin',
  summary: 'Download the statements of a month, one line per ticket in a workbook, or as in the list',
  query: statementQuery.extend({ format: fileFormat }),
  response: 'file',
  failures: [429],
});
