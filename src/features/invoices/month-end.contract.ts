import { z } from 'zod';
import { rupiah, statementMonth } from '#features/statements/statements.contract.ts';
import { boundedRecord } from '#shared/answers.ts';
import { endpoint } from '#shared/endpoint.ts';
import { pageOf, pagingQuery } from '#shared/paging.ts';
import { invoiceStatuses } from './invoice-status.shared.ts';
import { invoiceSending, mailLanguage } from './invoices.contract.ts';

const month = z.object({ total: rupiah.describe('Without PPN') });

const line = z
  .object({
    company_code: z.string(),
    company_name: z.string(),
    statement: month.describe('Of the month'),
    before: month.describe('Of the month before'),
    open: rupiah.describe('Of its tickets that are on no invoice that stands'),
    invoices: z
      .array(
        z.object({
          _id: z.string(),
          number: z.string().nullable(),
          status: z.enum(invoiceStatuses),
          total: rupiah,
          sent: invoiceSending,
        }),
      )
      .describe('Its invoices of the month that stand, oldest first'),
    has_address: z.boolean().describe('Whether its terms have an address for invoices'),
  })
  .meta({ id: 'MonthEndLine', description: 'A company at the end of a month' });
export type MonthEndLine = z.infer<typeof line>;

const sum = z.object({
  companies: z.int(),
  total: rupiah,
  ppn: rupiah.describe('The part of the total that is PPN'),
});

const sums = z
  .object({
    open: sum.describe('Of the tickets that are on no invoice that stands, without PPN'),
    drafts: sum,
    issued: sum,
  })
  .meta({ id: 'MonthEndSums', description: 'The amounts of all companies, on whatever page' });
export type MonthEndSums = z.infer<typeof sums>;

export const listMonthEnd = endpoint({
  route: 'GET /invoices/month-end',
  access: 'superadmin',
  summary:
    'List the companies to bill for a month: with tickets in it or the month before, or with an invoice of it',
  query: pagingQuery.extend({ month: statementMonth }),
  heavy: () => true,
  readOnly: true,
  tagged: true,
  response: pageOf(line).extend({ sums }).meta({ id: 'MonthEndPage' }),
});

const batchLine = z
  .object({
    company_code: z.string(),
    invoice: z.object({ _id: z.string(), number: z.string().nullable(), total: rupiah }).nullable(),
    error: z.string().nullable().describe('The code of the failure, as the call for one invoice answers it'),
  })
  .meta({ id: 'InvoiceBatchLine' });
export type BatchLine = z.infer<typeof batchLine>;

/** More drafts than a month has companies. */
const maxDrafts = 20_000;

const batch = z
  .object({
    month: statementMonth,
    do: z
      .enum(['draft', 'issue'])
      .describe('Draft an invoice for every company with tickets on none, or issue every draft of the month'),
    send: z
      .boolean()
      .optional()
      .describe('Whether issued ones are mailed; one without an address is not issued'),
    language: mailLanguage,
    totals: boundedRecord(z.string().max(20), rupiah.min(0), maxDrafts)
      .optional()
      .describe('The totals that were confirmed, by the `_id` of the draft: others are not issued'),
  })
  .meta({ id: 'InvoiceBatch', examples: [{ month: '2026-10', do: 'issue', send: true }] });

export const batchInvoices = endpoint({
  route: 'POST /invoices/batch',
  access: 'superadmin',
  summary:
    'Draft or issue the invoices of a month, each in a transaction of its own, so that none stops another',
  body: batch,
  response: z.object({ data: z.array(batchLine) }).meta({ id: 'InvoiceBatchAnswer' }),
});
