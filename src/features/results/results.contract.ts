import { z } from 'zod';
import { ticket } from '#features/tickets/tickets.contract.ts';
import { messageAnswer, ticketNumber } from '#shared/answers.ts';
import { endpoint } from '#shared/endpoint.ts';
import { pageOf, pagingQuery } from '#shared/paging.ts';
import { longestSearch } from '#shared/search.ts';

/** One device of a ticket; dates are calendar days, `timestamp` the instant when it was fetched. */
const coverageRow = z.object({
  _id: z.string(),
  position: z.int(),
  serial_number: z.string(),
  type: z.string().nullable(),
  activation_status: z.enum(['activated', 'unactivated']).nullable(),
  purchase_date: z.string().nullable(),
  warranty_title: z.string().nullable(),
  coverage_start_date: z.string().nullable(),
  coverage_end_date: z.string().nullable(),
  /** "N/A", "Expired", "Expires today" or "N days", against today in APP_TIMEZONE; null while pending. */
  coverage_expires: z.string().nullable(),
  timestamp: z.string().nullable(),
  state: z.enum(['pending', 'done', 'failed']),
  reason: z.string().nullable(),
  details: z.string().nullable(),
  original: z.string().nullable(),
  source: z.string().nullable(),
  attempts: z.int(),
  egress: z.enum(['direct', 'proxies']).nullable(),
  cached: z.boolean().nullable(),
});
export type CoverageRow = z.infer<typeof coverageRow>;

/** `active` and `inactive` are the download's words for activated and unactivated; both are taken everywhere. */
const activationWords = ['all', 'active', 'inactive', 'activated', 'unactivated'] as const;

export const listCoverage = endpoint({
  method: 'GET',
  path: '/imei',
  access: 'signed-in',
  summary:
    "Rows of a ticket with their coverage, in the order of the sheet; the caller's newest ticket by default",
  query: pagingQuery.extend({
    ticket_number: ticketNumber.optional(),
    status: z.enum([...activationWords, 'failed', 'pending']).optional(),
    q: z.string().trim().max(longestSearch).optional(),
  }),
  response: pageOf(coverageRow).extend({ ticket: ticket.nullable() }),
});

export const deleteCoverage = endpoint({
  method: 'DELETE',
  path: '/imei/{ticket_number}',
  access: 'signed-in',
  summary: 'Delete the results of a ticket that is not being processed',
  params: z.object({ ticket_number: ticketNumber }),
  response: messageAnswer,
});

export const downloadCoverage = endpoint({
  method: 'GET',
  path: '/imei/download',
  access: 'signed-in',
  summary: 'Export rows as .xlsx or JSON, streamed',
  query: z.object({
    format: z.enum(['excel', 'json']).default('excel'),
    status: z.enum(activationWords).default('all'),
    ticket_number: ticketNumber.optional(),
    /** 1 adds source, asked at, attempts, egress and cache columns to the workbook. */
    provenance: z.enum(['0', '1']).default('0'),
  }),
  response: 'file',
});
