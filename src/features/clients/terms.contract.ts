import { z } from 'zod';
import { basedOnVersion, companyParams, email } from '#shared/answers.ts';
import { endpoint } from '#shared/endpoint.ts';
import { maxInvoiceEmails, maxPaymentDays, maxPrice, pricePattern } from './terms.shared.ts';

const fields = {
  price: z
    .number()
    .positive()
    .max(maxPrice)
    .refine((price) => pricePattern.test(String(price)), 'server_terms_price')
    .nullable()
    .describe('US dollars per row of new tickets, with at most 6 decimals; null for `PRICE_USD`'),
  discount: z.int().min(0).max(100).describe('The discount of new tickets in percent'),
  payment_days: z
    .int()
    .min(0)
    .max(maxPaymentDays)
    .nullable()
    .describe('The days from the issue of an invoice to its due day; null for no due day'),
  address: z.string().trim().max(1000).describe('Printed on invoices, in lines'),
  tax_number: z.string().trim().max(100).describe('The tax number (NPWP), printed on invoices'),
  invoice_emails: z
    .array(email)
    .max(maxInvoiceEmails)
    .refine(
      (addresses) => new Set(addresses.map((one) => one.toLowerCase())).size === addresses.length,
      'server_watch_same_receiver',
    )
    .describe('The addresses that invoices are sent to'),
};

const terms = z
  .object({
    ...fields,
    price: z.number().nullable(),
    invoice_emails: z.array(z.string()),
    version: z.int().describe('Grows with every change; 0 until they were first set'),
  })
  .meta({ id: 'ClientTerms', description: 'What a company pays, and who gets its invoices' });
export type Terms = z.infer<typeof terms>;

const change = z
  .object(fields)
  .partial()
  .extend({ version: basedOnVersion })
  .meta({
    id: 'ClientTermsChange',
    description: 'Fields that are left out stay as they are',
    examples: [
      {
        price: 0.04,
        discount: 10,
        payment_days: 14,
        address: 'Jalan Sudirman 1\nJakarta 10220',
        tax_number: '01.234.567.8-901.000',
        invoice_emails: ['finance@example.com'],
      },
    ],
  });
export type TermsChange = z.infer<typeof change>;

export const getTerms = endpoint({
  route: 'GET /terms/{company_code}',
  access: 'admin',
  summary: 'Read what a company pays, and who gets its invoices',
  params: companyParams,
  tagged: true,
  response: terms,
  failures: [404],
});

export const putTerms = endpoint({
  route: 'PUT /terms/{company_code}',
  access: 'superadmin',
  summary: 'Set what a company pays for tickets from now on, and who gets its invoices',
  params: companyParams,
  body: change,
  response: terms,
  failures: [404, 409],
});
