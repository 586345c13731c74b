import { z } from 'zod';
import { ticketStatus } from '#features/tickets/tickets.contract.ts';
import { companyFilter } from '#shared/answers.ts';
import { endpoint } from '#shared/endpoint.ts';
import { maxSearchLength } from '#shared/search.ts';

const foundDevice = z
  .object({
    _id: z.string().describe('The device in the register (`GET /devices/{id}`)'),
    serial_number: z.string(),
    type: z.string().nullable(),
    activation_status: z.enum(['activated', 'unactivated']).nullable(),
    coverage_end_date: z.string().nullable(),
    ticket_number: z
      .string()
      .nullable()
      .describe('The newest ticket that has the device; null when all are deleted'),
    company_code: z.string(),
    position: z.int().nullable().describe('The place of the row in this ticket, counted from 1'),
  })
  .meta({ id: 'FoundDevice' });

const foundTicket = z
  .object({
    ticket_number: z.string(),
    company_code: z.string(),
    file_name: z.string().nullable(),
    status: ticketStatus,
  })
  .meta({ id: 'FoundTicket' });

const foundClient = z
  .object({ company_code: z.string(), company_name: z.string() })
  .meta({ id: 'FoundClient' });

const foundUser = z
  .object({
    _id: z.string(),
    email: z.string(),
    name: z.string(),
    company_code: z.string().nullable().describe('Null only for a superadmin without a company'),
  })
  .meta({ id: 'FoundUser' });

const foundInvoice = z
  .object({
    _id: z.string(),
    number: z.string().describe('`INV/YYYY/NNNN`'),
    company_code: z.string(),
  })
  .meta({ id: 'FoundInvoice' });

export const search = endpoint({
  route: 'GET /search',
  access: 'signed-in',
  summary: 'Search devices, tickets, clients, and for administrators users and invoices: at most 10 of each',
  query: z.object({
    q: z
      .string()
      .trim()
      .max(maxSearchLength)
      .meta({
        description:
          'From 6 characters on: a serial, its beginning or its end. From 3 on: the beginning of a ticket number, ' +
          "a part of a file name, of a company's name or code, of a user's name or email address, or of an invoice number",
        examples: ['356303'],
      }),
    company_code: companyFilter.optional(),
  }),
  heavy: () => true,
  readOnly: true,
  response: z
    .object({
      devices: z.array(foundDevice),
      tickets: z.array(foundTicket),
      clients: z.array(foundClient),
      users: z.array(foundUser).describe('Empty for callers who are no administrators'),
      invoices: z.array(foundInvoice).describe('Issued ones; empty for callers who are no administrators'),
    })
    .meta({
      id: 'SearchAnswer',
      examples: [
        {
          devices: [
            {
              _id: '7',
              serial_number: '356303489012342',
              type: 'iPhone 15 Pro',
              activation_status: 'activated',
              coverage_end_date: '2026-03-13',
              ticket_number: '12',
              company_code: 'ACM001',
              position: 1,
            },
          ],
          tickets: [],
          clients: [],
          users: [],
          invoices: [],
        },
      ],
    }),
});
