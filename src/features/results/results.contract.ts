import { z } from 'zod';
import { deviceChanges, forgetDevicesFlag } from '#features/devices/devices.contract.ts';
import { fieldFilter, fieldSort, fieldValues } from '#features/devices/fields.contract.ts';
import { changeCounts, changeKinds } from '#features/rechecks/rechecks.contract.ts';
import {
  newestTicketNumber,
  ticket,
  ticketExample,
  ticketMatch,
} from '#features/tickets/tickets.contract.ts';
import { fileFormat, messageAnswer, queryNumber, ticketNumber } from '#shared/answers.ts';
import { endpoint } from '#shared/endpoint.ts';
import { queryOf } from '#shared/filter-query.ts';
import { rowFilters } from '#shared/filters.ts';
import { examplePage, pageOf, pagingQuery } from '#shared/paging.ts';
import { isPositionList, maxPositionsLength } from './positions.shared.ts';
import { rowSorts } from './row-sorts.shared.ts';

const resultRow = z
  .object({
    _id: z.string(),
    position: z.int().describe('The place of the row in its ticket, counted from 1'),
    serial_number: z.string(),
    type: z.string().nullable(),
    activation_status: z.enum(['activated', 'unactivated']).nullable(),
    purchase_date: z.string().nullable(),
    warranty_title: z.string().nullable(),
    coverage_start_date: z.string().nullable(),
    coverage_end_date: z.string().nullable(),
    coverage_expires: z
      .string()
      .nullable()
      .describe(
        '"N/A", "Expired", "Expires today" or "N days", counted from today in APP_TIMEZONE; null while pending',
      ),
    timestamp: z.string().nullable().describe('The instant of the lookup'),
    state: z.enum(['pending', 'done', 'failed']),
    reason: z.string().nullable().describe('Why the row failed'),
    details: z.string().nullable().describe('More about the reason'),
    original: z.string().nullable().describe('The text of the cell, where reading changed it'),
    sheet_row: z.int().describe('The row of the sheet, counted from 1'),
    source: z.string().nullable().describe('The source that answered'),
    attempts: z
      .int()
      .describe('Attempts at the last source asked; 0 if the answer came from the cache or the register'),
    egress: z.enum(['direct', 'proxies']).nullable().describe('Whether the source was asked through a proxy'),
    cached: z.boolean().nullable().describe('Whether the answer came from the cache or the device register'),
    fields: fieldValues,
  })
  .meta({ id: 'ResultRow', description: 'A row of a ticket and its result; dates are calendar days' });
export type ResultRow = z.infer<typeof resultRow>;

const resultRowExample: ResultRow = {
  _id: '4711',
  position: 1,
  serial_number: '356303489012342',
  type: 'iPhone 15 Pro',
  activation_status: 'activated',
  purchase_date: '2025-03-14',
  warranty_title: 'Limited Warranty',
  coverage_start_date: '2025-03-14',
  coverage_end_date: '2026-03-13',
  coverage_expires: 'Expired',
  timestamp: '2026-11-23T08:30:00.000Z',
  state: 'done',
  reason: null,
  details: null,
  original: null,
  sheet_row: 2,
  source: 'sandbox',
  attempts: 1,
  egress: 'direct',
  cached: false,
  fields: { employee: 'Siti Rahma' },
};

/** The filters and the order of a ticket's rows. All filters apply together. */
const narrowing = {
  status: z
    .enum(['all', 'active', 'inactive', 'activated', 'unactivated', 'failed', 'pending'])
    .optional()
    .describe('Rows of a state or activation (`active`: activated, `inactive`: unactivated); by default all'),
  ...queryOf(rowFilters),
  positions: z
    .string()
    .max(maxPositionsLength)
    .refine(isPositionList, 'server_positions_form')
    .optional()
    .meta({ description: 'Rows at these positions', examples: ['1,4,10-25'] }),
  compared_with: ticketNumber
    .optional()
    .describe('The number of another ticket: rows whose identifier it has, too; invalid cells do not count'),
  shared: z
    .enum(['true', 'false'])
    .optional()
    .describe('`false`: rows whose identifier the ticket `compared_with` does not have'),
  field: fieldFilter,
  sort: z
    .enum(rowSorts)
    .or(fieldSort)
    .default('position')
    .describe(
      'The column to sort by, `field.KEY` for an own column; rows without a value come last, equal rows by position',
    ),
  order: z.enum(['asc', 'desc']).default('asc').describe('The direction of `sort`'),
};

const rowCounts = z
  .object({
    all: z.int(),
    activated: z.int(),
    unactivated: z.int(),
    unknown: z.int().describe('Done without an activation'),
    failed: z.int(),
    pending: z.int(),
    ending_30: z.int().describe('Coverage ends between today and 30 days from today'),
    expired: z.int().describe('Coverage ended before today'),
    reasons: z.record(z.string(), z.int()).describe('Failed rows by reason'),
  })
  .meta({ id: 'RowCounts', description: 'Counts of all rows of a ticket, whatever filters are given' });
export type RowCounts = z.infer<typeof rowCounts>;

const valueCounts = z.array(z.object({ value: z.string(), count: z.int() }));

const rowValues = z
  .object({ types: valueCounts, warranties: valueCounts })
  .meta({ id: 'RowValues', description: 'The 100 most common types and warranty titles of a ticket' });
export type RowValues = z.infer<typeof rowValues>;

/** With these values a call reads one page, and with any other value all rows of the ticket. */
const wholeInSheetOrder: Record<string, unknown> = {
  status: 'all',
  sort: 'position',
  order: 'asc',
  counts: '0',
};

export const listResults = endpoint({
  route: 'GET /imei',
  access: 'signed-in',
  summary: 'List the rows of a ticket with their coverage, filtered and sorted',
  query: pagingQuery.extend({
    ticket_number: newestTicketNumber,
    ...narrowing,
    counts: z.enum(['0', '1']).default('0').describe('1 adds `counts` and `values` to the answer'),
    cursor: queryNumber(0, Number.MAX_SAFE_INTEGER - 1_000_000)
      .optional()
      .describe(
        'Lists finished rows alone, in the order in which they finished, instead of a page: 0, then the `next_cursor` of ' +
          'each answer; `page`, `sort` and `order` have no effect',
      ),
  }),
  heavy: ({ page: _page, limit: _limit, cursor: _cursor, ticket_number: _ticket, ...asked }) =>
    Object.entries(asked).some(([name, value]) => value !== wholeInSheetOrder[name]),
  readOnly: true,
  tagged: true,
  response: pageOf(resultRow)
    .extend({
      ticket: ticket.nullable().describe('Null if the caller has no ticket'),
      next_cursor: z
        .int()
        .nullable()
        .optional()
        .describe(
          'The cursor of the next call, only with `cursor`; null once an ended ticket was read to its end',
        ),
      counts: rowCounts.optional(),
      values: rowValues.optional(),
    })
    .meta({ id: 'ResultRowPage', examples: [{ ...examplePage(resultRowExample), ticket: ticketExample }] }),
  failures: [404],
});

const comparedTicket = z.object({ ticket: ticketMatch, counts: rowCounts }).meta({ id: 'ComparedTicket' });

const ticketPair = z
  .string()
  .regex(/^\d{1,15},\d{1,15}$/, 'server_ticket_pair_form')
  .refine((pair) => {
    const [first, second] = pair.split(',').map(Number);
    return first !== second;
  }, 'server_ticket_pair_same');

export const compareTickets = endpoint({
  route: 'GET /tickets/compare',
  access: 'signed-in',
  summary: 'Compare two tickets: the counts of their rows, and how many serials they share',
  query: z.object({
    tickets: ticketPair.meta({ description: 'The numbers of two different tickets', examples: ['3,5'] }),
  }),
  heavy: () => true,
  readOnly: true,
  tagged: true,
  response: z
    .object({
      first: comparedTicket,
      second: comparedTicket,
      serials: z
        .object({ both: z.int(), only_first: z.int(), only_second: z.int() })
        .describe('Identifiers by the tickets that have them; invalid cells do not count'),
    })
    .meta({ id: 'Comparison' }),
  failures: [404],
});
export type Comparison = z.infer<typeof compareTickets.response>;
export type ComparedTicket = Comparison['first'];

export const ticketChangeKinds = [...changeKinds, 'added', 'removed'] as const;
export type TicketChangeKind = (typeof ticketChangeKinds)[number];

const changeKind = z
  .enum(ticketChangeKinds)
  .describe(
    '`added`, `removed`: only the newer, only the older ticket has it; `not_found`: no source knew it for the newer one; ' +
      '`activated`, `extended`, `ended`, `other`: as in the changes of rechecks, where a device that was not found before ' +
      'had no values',
  );

const ticketChangeQuery = z.object({
  ticket_number: ticketNumber.describe('The number of the newer ticket'),
  with: ticketNumber.describe('The number of the older ticket'),
  kind: changeKind.optional(),
});
export type TicketChangeQuery = z.infer<typeof ticketChangeQuery>;

const ticketChange = z
  .object({
    _id: z.string().describe('The `_id` of the row in the newer ticket; in the older one if it was removed'),
    serial_number: z.string(),
    kind: changeKind,
    changes: deviceChanges.describe('The fields that differ; null on the side of a ticket without an answer'),
    fields: fieldValues,
  })
  .meta({ id: 'TicketChange' });
export type TicketChange = z.infer<typeof ticketChange>;

export const listTicketChanges = endpoint({
  route: 'GET /tickets/changes',
  access: 'signed-in',
  summary: 'List the devices for which the answers of two tickets differ, by serial',
  query: pagingQuery.extend(ticketChangeQuery.shape),
  heavy: () => true,
  readOnly: true,
  tagged: true,
  response: pageOf(ticketChange)
    .extend({ counts: changeCounts(ticketChangeKinds) })
    .meta({ id: 'TicketChangePage' }),
  failures: [404],
});

export const downloadTicketChanges = endpoint({
  route: 'GET /tickets/changes/download',
  access: 'signed-in',
  summary: 'Download the changes between two tickets, filtered like the list',
  query: ticketChangeQuery.extend({ format: fileFormat }),
  response: 'file',
  failures: [404, 429],
});

export const deleteResults = endpoint({
  route: 'DELETE /imei/{ticket_number}',
  access: 'signed-in',
  summary: 'Delete the results of a ticket that is not being processed',
  params: z.object({ ticket_number: ticketNumber }),
  query: z.object({ forget_devices: forgetDevicesFlag }),
  response: messageAnswer,
  failures: [404, 409],
});

export const downloadResults = endpoint({
  route: 'GET /imei/download',
  access: 'signed-in',
  summary: 'Download the rows of a ticket, filtered and sorted like the list',
  query: z.object({
    format: fileFormat,
    ticket_number: newestTicketNumber,
    ...narrowing,
    provenance: z
      .enum(['0', '1'])
      .default('0')
      .describe('1 adds columns to the workbook: the cell as it was, source, attempts, egress and cache'),
  }),
  response: 'file',
  failures: [404, 429],
});

export const downloadAnnotated = endpoint({
  route: 'GET /data/{ticket}/annotated',
  access: 'signed-in',
  summary: 'Download the uploaded .xlsx file with its results in new columns, while the file is kept',
  params: z.object({ ticket: ticketNumber }),
  response: 'file',
  failures: [404, 410, 415, 422, 429],
});

export const getOriginal = endpoint({
  route: 'GET /data/{ticket}/original',
  access: 'signed-in',
  summary: 'Read whether the uploaded file of a ticket can be downloaded with its results',
  params: z.object({ ticket: ticketNumber }),
  response: z
    .object({
      state: z
        .enum(['kept', 'xls', 'macros', 'gone'])
        .describe(
          '`xls`: the file was an .xls file; `macros`: it has macros; neither is kept; `gone`: it is deleted, or there was none',
        ),
    })
    .meta({ id: 'Original' }),
  failures: [404],
});
