import { z } from 'zod';
import { ticketStatus } from '#features/tickets/tickets.contract.ts';
import { endpoint } from '#shared/endpoint.ts';
import { longestSearch } from '#shared/search.ts';

const foundDevice = z.object({
  serial_number: z.string(),
  type: z.string().nullable(),
  activation_status: z.enum(['activated', 'unactivated']).nullable(),
  coverage_end_date: z.string().nullable(),
  ticket_number: z.string(),
  company_code: z.string(),
  /** Its place in the ticket. */
  position: z.int(),
});

const foundTicket = z.object({
  ticket_number: z.string(),
  company_code: z.string(),
  file_name: z.string().nullable(),
  status: ticketStatus,
});

const foundClient = z.object({ company_code: z.string(), company_name: z.string() });

export const search = endpoint({
  method: 'GET',
  path: '/search',
  access: 'signed-in',
  summary:
    'Devices by the whole, the beginning or the end of their serial (from 6 characters on), tickets by number or file, clients by name or code: at most 10 of each, none for less than 3 characters',
  query: z.object({
    q: z.string().trim().max(longestSearch),
    company_code: z.string().min(1).max(20).optional(),
  }),
  heavy: () => true,
  response: z.object({
    devices: z.array(foundDevice),
    tickets: z.array(foundTicket),
    clients: z.array(foundClient),
  }),
});
