import { z } from 'zod';
import { ticket } from '#features/tickets/tickets.contract.ts';
import { messageAnswer, ticketNumber } from '#shared/answers.ts';
import { endpoint } from '#shared/endpoint.ts';
import { pageOf, pagingQuery } from '#shared/paging.ts';
import { isPositionList, longestPositions } from '#shared/positions.ts';
import { rowSorts } from '#shared/row-sorts.ts';
import { longestSearch } from '#shared/search.ts';

/** One device of a ticket; dates are calendar days, `timestamp` the instant when it was fetched. */
const resultRow = z.object({
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
  /** The row of the sheet that its cell stands in. */
  sheet_row: z.int(),
  source: z.string().nullable(),
  attempts: z.int(),
  egress: z.enum(['direct', 'proxies']).nullable(),
  cached: z.boolean().nullable(),
});
export type ResultRow = z.infer<typeof resultRow>;

/** Days; ten years, far longer than any coverage. */
const farthestEnd = 3650;

/** A calendar day; no calendar has a year 0. */
const day = z.iso.date().refine((text) => text >= '0001');

/** What the rows of a ticket can be narrowed by; everything that is given holds together. */
const narrowing = {
  /** `active` and `inactive` stand for activated and unactivated. */
  status: z.enum(['all', 'active', 'inactive', 'activated', 'unactivated', 'failed', 'pending']).optional(),
  state: z.enum(['pending', 'done', 'failed']).optional(),
  /** `unknown`: done without an activation. */
  activation: z.enum(['activated', 'unactivated', 'unknown']).optional(),
  // Whole values, as rows have them.
  reason: z.string().max(longestSearch).optional(),
  type: z.string().max(longestSearch).optional(),
  warranty: z.string().max(longestSearch).optional(),
  // Days, both included.
  ends_from: day.optional(),
  ends_to: day.optional(),
  /** An end day from today on, so many days ahead at most. */
  ends_within: z.coerce.number().int().min(1).max(farthestEnd).optional(),
  /** `true`: an end day before today; `false`: an end day that is not past. Without an end day neither. */
  expired: z.enum(['true', 'false']).optional(),
  /** A part of the serial. */
  q: z.string().trim().max(longestSearch).optional(),
  /** Of these rows only, as `1,4,10-25`. */
  positions: z.string().max(longestPositions).refine(isPositionList, 'server_positions_form').optional(),
  /** Rows without the value come last in either order, equal ones by position. */
  sort: z.enum(rowSorts).default('position'),
  order: z.enum(['asc', 'desc']).default('asc'),
};

/** The rows of a whole ticket, however the list is narrowed. */
const rowCounts = z.object({
  all: z.int(),
  activated: z.int(),
  unactivated: z.int(),
  unknown: z.int(),
  failed: z.int(),
  pending: z.int(),
  /** An end day from today to the thirtieth day after it, both included. */
  ending_30: z.int(),
  expired: z.int(),
  /** Failed rows by reason. */
  reasons: z.record(z.string(), z.int()),
});
export type RowCounts = z.infer<typeof rowCounts>;

const valueCounts = z.array(z.object({ value: z.string(), count: z.int() }));

/** What rows of the ticket can be narrowed by as whole values: the commonest 100 of each. */
const rowValues = z.object({ types: valueCounts, warranties: valueCounts });
export type RowValues = z.infer<typeof rowValues>;

/** Any other part of a query makes the database look at all rows of the ticket. */
const wholeInSheetOrder: Record<string, unknown> = {
  status: 'all',
  sort: 'position',
  order: 'asc',
  counts: '0',
};

export const listResults = endpoint({
  method: 'GET',
  path: '/imei',
  access: 'signed-in',
  summary:
    "Rows of a ticket with their coverage, narrowed and sorted as asked for; the caller's newest ticket by default",
  query: pagingQuery.extend({
    ticket_number: ticketNumber.optional(),
    ...narrowing,
    /** 1 adds `counts` and `values`. */
    counts: z.enum(['0', '1']).default('0'),
  }),
  heavy: ({ page: _page, limit: _limit, ticket_number: _ticket, ...asked }) =>
    Object.entries(asked).some(([name, value]) => value !== wholeInSheetOrder[name]),
  tagged: true,
  response: pageOf(resultRow).extend({
    ticket: ticket.nullable(),
    counts: rowCounts.optional(),
    values: rowValues.optional(),
  }),
});

const comparedTicket = z.object({ ticket, counts: rowCounts });

const ticketPair = z
  .string()
  .regex(/^\d{1,15},\d{1,15}$/, 'server_ticket_pair_form')
  .refine((pair) => {
    const [first, second] = pair.split(',').map(Number);
    return first !== second;
  }, 'server_ticket_pair_same');

export const compareTickets = endpoint({
  method: 'GET',
  path: '/tickets/compare',
  access: 'signed-in',
  summary: 'Two tickets beside each other, with the counts of their rows, and how many serials they share',
  query: z.object({
    /** The numbers of two different tickets: `3,5`. */
    tickets: ticketPair,
  }),
  heavy: () => true,
  tagged: true,
  response: z.object({
    first: comparedTicket,
    second: comparedTicket,
    /** Identifiers by the tickets that have them; cells without one do not count. */
    serials: z.object({ both: z.int(), only_first: z.int(), only_second: z.int() }),
  }),
});
export type Comparison = z.infer<typeof compareTickets.response>;
export type ComparedTicket = Comparison['first'];

export const deleteResults = endpoint({
  method: 'DELETE',
  path: '/imei/{ticket_number}',
  access: 'signed-in',
  summary: 'Delete the results of a ticket that is not being processed',
  params: z.object({ ticket_number: ticketNumber }),
  response: messageAnswer,
});

export const downloadResults = endpoint({
  method: 'GET',
  path: '/imei/download',
  access: 'signed-in',
  summary: 'Export the rows of a ticket as .xlsx or JSON, narrowed and sorted like the list, streamed',
  query: z.object({
    format: z.enum(['excel', 'json']).default('excel'),
    ticket_number: ticketNumber.optional(),
    ...narrowing,
    /** 1 adds source, asked at, attempts, egress and cache columns to the workbook. */
    provenance: z.enum(['0', '1']).default('0'),
  }),
  response: 'file',
});
