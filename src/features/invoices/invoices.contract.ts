import { z } from 'zod';
import { rupiah, statementLine, statementMonth } from '#features/statements/statements.contract.ts';
import {
  activeCompany,
  basedOnVersion,
  calendarDay,
  companyFilter,
  fileFormat,
  idParams,
  messageAnswer,
  queryNumber,
} from '#shared/answers.ts';
import { endpoint } from '#shared/endpoint.ts';
import { idempotencyKey } from '#shared/idempotency-key.ts';
import { isPlainName } from '#shared/name-rules.ts';
import { pageOf, pagingQuery } from '#shared/paging.ts';
import { invoiceStatuses } from './invoice-status.shared.ts';

const status = z
  .enum(invoiceStatuses)
  .describe('`draft` until it is issued; `issued` until it is paid or corrected by a credit note');

const sellerFields = {
  name: z
    .string()
    .trim()
    .min(1)
    .max(200)
    .refine(isPlainName, 'server_name_one_line')
    .describe('The name of the company that issues the invoices'),
  address: z.string().trim().max(1000).describe('Its address, in lines'),
  tax_number: z.string().trim().max(100).describe('Its tax number (NPWP)'),
  bank: z.string().trim().max(1000).describe('The account to pay to, in lines'),
  ppn_percent: z
    .number()
    .min(0)
    .max(100)
    .multipleOf(0.01)
    .nullable()
    .describe('Percent of value-added tax (PPN) on the subtotal; 0 or null for none'),
};

const seller = z
  .object({ ...sellerFields, name: z.string().describe('Empty until it was first set') })
  .meta({ id: 'Seller', description: 'The company that issues the invoices' });
export type Seller = z.infer<typeof seller>;

const sellerSettings = seller
  .extend({ version: z.int().describe('Grows with every change; 0 until they were first set') })
  .meta({ id: 'SellerSettings', description: 'The present data of the seller' });
export type SellerSettings = z.infer<typeof sellerSettings>;

export const invoiceSending = z
  .object({
    at: z.string().describe('When it was asked for'),
    to: z.array(z.string()),
    status: z.enum(['queued', 'sent', 'failed']).describe('`failed` once one of its mails was given up'),
  })
  .nullable()
  .describe('The latest sending by mail');

const invoice = z
  .object({
    _id: z.string(),
    number: z.string().nullable().describe('`INV/YYYY/NNNN`, without gaps in a year; null for a draft'),
    status,
    company_code: z.string(),
    company_name: z.string(),
    client: z
      .object({ name: z.string(), address: z.string(), tax_number: z.string() })
      .describe('Whom it bills, as it was issued; as in the present terms for a draft'),
    month: z.string().describe('The month of the statement, as `YYYY-MM`'),
    tickets: z.array(statementLine).describe('As on the statement; a draft follows its tickets'),
    subtotal: rupiah,
    ppn_percent: z.number(),
    ppn: rupiah.describe('The tax on the subtotal, rounded once'),
    total: rupiah,
    note: z.string(),
    due_at: z.string().nullable().describe('The day by which it is to be paid'),
    payment_days: z
      .int()
      .nullable()
      .describe('A draft without a due day gets one so many days after its issue; null once it is issued'),
    overdue: z.boolean().describe('Whether it is issued and its due day is over'),
    created_at: z.string(),
    issued_at: z.string().nullable(),
    issued_on: z.string().nullable().describe('The day of its issue in APP_TIMEZONE'),
    paid_at: z.string().nullable().describe('The day of the payment'),
    payment_note: z.string().nullable(),
    reminded_at: z.string().nullable().describe('When its company was last reminded'),
    sent: invoiceSending,
    seller,
    credit_note: z
      .object({ number: z.string().describe('`CN/YYYY/NNNN`'), reason: z.string(), issued_at: z.string() })
      .nullable(),
  })
  .meta({ id: 'Invoice' });
export type Invoice = z.infer<typeof invoice>;

/** An invoice in a list, which may leave out its tickets. */
const listedInvoice = invoice.partial({ tickets: true }).meta({ id: 'ListedInvoice' });
export type ListedInvoice = z.infer<typeof listedInvoice>;

const openAmounts = z
  .object({
    count: z.int(),
    total: rupiah,
    overdue_count: z.int(),
    overdue_total: rupiah,
  })
  .meta({ id: 'OpenAmounts', description: 'Issued invoices that are not paid' });
export type OpenAmounts = z.infer<typeof openAmounts>;

export const mailLanguage = z.enum(['en', 'id']).optional().describe('By default that of the caller');

export const getSeller = endpoint({
  route: 'GET /invoices/seller',
  access: 'superadmin',
  summary: 'Read the data of the company that issues the invoices',
  tagged: true,
  response: sellerSettings,
});

export const putSeller = endpoint({
  route: 'PUT /invoices/seller',
  access: 'superadmin',
  summary: 'Replace the data of the company that issues the invoices; issued ones stay as they are',
  body: z.object({ ...sellerFields, version: basedOnVersion }).meta({
    id: 'SellerData',
    examples: [
      {
        name: 'PT Cakupan Nusantara',
        address: 'Jalan Sudirman 1\nJakarta 10220',
        tax_number: '01.234.567.8-901.000',
        bank: 'Bank Mandiri 123 456 789',
        ppn_percent: null,
      },
    ],
  }),
  response: sellerSettings,
  failures: [409],
});

const invoiceQuery = z.object({
  company_code: companyFilter.optional(),
  status: status.optional(),
  overdue: z.enum(['true']).optional().describe('Only issued invoices whose due day is over'),
  from: calendarDay.optional().describe('Issued on this day (`YYYY-MM-DD`) or later'),
  to: calendarDay.optional().describe('Issued on this day (`YYYY-MM-DD`) or earlier'),
});
export type InvoiceQuery = z.infer<typeof invoiceQuery>;

export const listInvoices = endpoint({
  route: 'GET /invoices',
  access: 'admin',
  summary: 'List invoices, newest first; company administrators see the issued ones of their own company',
  query: pagingQuery.extend(invoiceQuery.shape).extend({
    lines: z.enum(['0']).optional().describe('`0` leaves out `tickets`, which may be many'),
  }),
  heavy: () => true,
  readOnly: true,
  tagged: true,
  response: pageOf(listedInvoice)
    .extend({ open: openAmounts.describe('Of the company, whatever else narrows the list') })
    .meta({ id: 'InvoicePage' }),
});

export const downloadInvoices = endpoint({
  route: 'GET /invoices/download',
  access: 'admin',
  summary: 'Download the list of invoices as a workbook or as JSON',
  query: invoiceQuery.extend({ format: fileFormat }),
  response: 'file',
  failures: [429],
});

export const createInvoice = endpoint({
  route: 'POST /invoices',
  access: 'superadmin',
  summary: 'Draft an invoice from a monthly statement: its tickets that are on no other invoice that stands',
  status: 201,
  body: z
    .object({ company_code: activeCompany.describe('The code of a client'), month: statementMonth })
    .meta({ id: 'NewInvoice', examples: [{ company_code: 'ACM001', month: '2026-10' }] }),
  response: invoice,
  failures: [409],
});

export const getInvoice = endpoint({
  route: 'GET /invoices/{id}',
  access: 'admin',
  summary: 'Read an invoice',
  params: idParams,
  tagged: true,
  response: invoice,
  failures: [404],
});

export const downloadInvoicePdf = endpoint({
  route: 'GET /invoices/{id}/pdf',
  access: 'admin',
  summary: 'Download an invoice, or its credit note, as a PDF',
  params: idParams,
  query: z.object({
    language: z.enum(['en', 'id']).optional().describe('By default that of the caller'),
    document: z
      .enum(['invoice', 'credit-note'])
      .default('invoice')
      .describe('The invoice, or the credit note that corrects it'),
  }),
  response: 'file',
  fileKind: 'pdf',
  failures: [404, 422, 429],
});

const note = z.string().trim().max(2000);
/** A day that an invoice may be due or paid on; others are typing errors. */
const invoiceDay = calendarDay.refine(
  (day) => day >= '2000-01-01' && day <= '2100-01-01',
  'server_invoice_day',
);

export const updateInvoice = endpoint({
  route: 'PUT /invoices/{id}',
  access: 'superadmin',
  summary: 'Change the note and the due day of a draft',
  params: idParams,
  body: z
    .object({
      note: note.nullable().optional().describe('Printed on the invoice; by default unchanged'),
      due_at: invoiceDay.nullable().optional().describe('By default unchanged'),
    })
    .meta({ id: 'InvoiceTerms', examples: [{ note: 'Thank you', due_at: '2026-12-15' }] }),
  response: invoice,
  failures: [404, 409],
});

export const issueInvoice = endpoint({
  route: 'POST /invoices/{id}/issue',
  access: 'superadmin',
  summary: 'Issue a draft: it gets its number and never changes from then on',
  params: idParams,
  query: z.object({
    total: queryNumber(0, Number.MAX_SAFE_INTEGER).optional().describe('The same as in the body'),
  }),
  body: z
    .object({
      total: rupiah
        .min(0)
        .optional()
        .describe('The total that was confirmed; if the draft has another one by now, the answer is 409'),
      send: z.boolean().optional().describe('Whether to send it by mail, too; 409 without an address'),
      language: mailLanguage,
    })
    .nullish()
    .meta({ id: 'InvoiceIssue', examples: [{ total: 162_000, send: true }] }),
  response: invoice,
  failures: [404, 409],
});

export const payInvoice = endpoint({
  route: 'POST /invoices/{id}/pay',
  access: 'superadmin',
  summary: 'Mark an issued invoice as paid',
  params: idParams,
  body: z
    .object({
      paid_at: invoiceDay.describe('The day of the payment, tomorrow at the latest'),
      note: note.nullable().optional(),
    })
    .meta({ id: 'Payment', examples: [{ paid_at: '2026-12-01', note: 'Transfer 4711' }] }),
  response: invoice,
  failures: [404, 409],
});

export const creditInvoice = endpoint({
  route: 'POST /invoices/{id}/credit',
  access: 'superadmin',
  summary: 'Correct an issued or paid invoice by a credit note, which frees its tickets',
  params: idParams,
  body: z
    .object({ reason: z.string().trim().min(1).max(1000) })
    .meta({ id: 'CreditReason', examples: [{ reason: 'Wrong discount' }] }),
  response: invoice,
  failures: [404, 409],
});

export const sendInvoice = endpoint({
  route: 'POST /invoices/{id}/send',
  access: 'superadmin',
  summary: 'Mail an issued invoice as a PDF to the addresses in the terms of its company, also again',
  headers: idempotencyKey,
  params: idParams,
  query: z.object({ language: mailLanguage }),
  status: 202,
  response: messageAnswer,
  failures: [404, 409, 422],
});

export const remindInvoice = endpoint({
  route: 'POST /invoices/{id}/remind',
  access: 'superadmin',
  summary: 'Mail an overdue invoice to the administrators of its company, at most once a day',
  params: idParams,
  query: z.object({ language: mailLanguage }),
  status: 202,
  response: messageAnswer,
  failures: [404, 409],
});

export const deleteInvoice = endpoint({
  route: 'DELETE /invoices/{id}',
  access: 'superadmin',
  summary: 'Delete a draft',
  params: idParams,
  response: messageAnswer,
  failures: [404, 409],
});
