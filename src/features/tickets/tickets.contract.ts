import { z } from 'zod';
import { forgetDevicesFlag } from '#features/devices/devices.contract.ts';
import {
  activeCompany,
  basedOnVersion,
  companyFilter,
  idParams,
  messageAnswer,
  ticketNumber,
  wholeNumber,
} from '#shared/answers.ts';
import { endpoint } from '#shared/endpoint.ts';
import { idempotencyKey } from '#shared/idempotency-key.ts';
import { examplePage, pageOf, pagingQuery } from '#shared/paging.ts';
import { maxSearchLength } from '#shared/search.ts';
import { m } from '#shared/texts/messages.js';
import { ticketStatuses } from './ticket-status.shared.ts';

/** The ticket that a read is about, where the caller's newest is the default. */
export const newestTicketNumber = ticketNumber
  .optional()
  .describe("The number of a ticket; by default the caller's newest");

export const ticketStatus = z.enum(ticketStatuses);

const dataCount = z.int().describe('The rows of the ticket, or the expected count of an order');
const imported = z.boolean().describe('Whether rows were imported; false for an order that waits for them');
const total = z.int().describe('Rows imported; the expected count of an order');
const remaining = z.int().describe('Rows without a result');
const percent = z.int().describe('Whole percent of rows with a result, at most 99 until Completed');

export const ticketKind = z
  .enum(['upload', 'paste', 'order', 'recheck'])
  .describe('How its rows came: by a file, a list of texts, not yet, or from the device register');
export type TicketKind = z.infer<typeof ticketKind>;

export const ticket = z
  .object({
    _id: z.string(),
    ticket_number: z.string(),
    company_code: z.string(),
    date: z.string().describe('The instant when the ticket was made'),
    status: ticketStatus,
    data_count: dataCount,
    total,
    done: z.int(),
    failed: z.int(),
    remaining,
    percent,
    known_count: z.int().describe('Rows answered from the device register'),
    billable: z.int().describe('Rows that are done and billed'),
    price: z.number().describe('US dollars per row'),
    current_dollar_price: z.int().describe('Rupiah per US dollar'),
    discount: z.int().describe('Percent'),
    price_per_data: z.number().describe('Rupiah per row'),
    subtotal: z.number().describe('Rupiah for the billable rows'),
    discount_amount: z.number().describe('Rupiah'),
    total_amount: z.number().describe('Rupiah: the subtotal less the discount'),
    file_name: z.string().nullable(),
    kind: ticketKind,
    imported,
    serial_deleted: z.boolean().describe('Whether the uploaded rows were deleted'),
    coverage_deleted: z.boolean().describe('Whether the results were deleted'),
    version: z.int().describe('Grows with every change of count, discount and rate'),
    invoice: z
      .enum(['draft', 'issued'])
      .nullable()
      .describe('For superadmins, its invoice if one stands: a draft, or one that was issued, paid or not'),
    retryable: z.boolean().describe('Whether a retry may repeat some rows'),
  })
  .meta({ id: 'Ticket' });
export type Ticket = z.infer<typeof ticket>;

const uploadedBy = z
  .object({ _id: z.string(), name: z.string(), email: z.string() })
  .nullable()
  .describe('The user who sent the rows; null for an order, a schedule, and to users for a superadmin');

export const ticketMatch = ticket.extend({ uploaded_by: uploadedBy }).meta({ id: 'TicketMatch' });
export type TicketMatch = z.infer<typeof ticketMatch>;

export const ticketExample: Ticket = {
  _id: '12',
  ticket_number: '12',
  company_code: 'ACM001',
  date: '2026-11-23T08:29:00.000Z',
  status: 'Processing',
  data_count: 2,
  total: 2,
  done: 1,
  failed: 0,
  remaining: 1,
  percent: 50,
  known_count: 0,
  billable: 1,
  price: 0.05,
  current_dollar_price: 16000,
  discount: 0,
  price_per_data: 800,
  subtotal: 800,
  discount_amount: 0,
  total_amount: 800,
  file_name: 'devices.xlsx',
  kind: 'upload',
  imported: true,
  serial_deleted: false,
  coverage_deleted: false,
  version: 1,
  invoice: null,
  retryable: false,
};

const waitingCause = z.enum(['turn', 'paused', 'disabled', 'down', 'auth', 'quota', 'proxies']);
export type WaitingCause = z.infer<typeof waitingCause>;

/** The reason why a running ticket waits; all null while it makes progress. */
const waiting = z.object({
  waiting_reason: z.string().nullable().describe('What the ticket waits for; null while it makes progress'),
  waiting_source: z
    .string()
    .nullable()
    .describe('The label of the source; null if it waits for proxies or its turn'),
  waiting_cause: waitingCause.nullable().describe('Why it may not go on'),
  waiting_since: z.string().nullable().describe('The instant when the wait began'),
});
export type Waiting = z.infer<typeof waiting>;

const progress = z
  .object({
    ticket_number: z.string(),
    company_code: z.string(),
    date: z.string().describe('The instant when the ticket was made'),
    file_name: z.string().nullable(),
    kind: ticketKind,
    uploaded_by: uploadedBy,
    status: ticketStatus,
    percent,
    done: z.int(),
    failed: z.int(),
    total,
    remaining,
    rate_per_minute: z.number().nullable().describe('Rows finished per minute'),
    eta_seconds: z.int().nullable().describe('Estimated seconds until Completed'),
    ...waiting.shape,
  })
  .meta({
    id: 'Progress',
    examples: [
      {
        ticket_number: '12',
        company_code: 'ACM001',
        date: '2026-11-23T08:29:00.000Z',
        file_name: 'devices.xlsx',
        kind: 'upload',
        uploaded_by: null,
        status: 'Processing',
        percent: 50,
        done: 1,
        failed: 0,
        total: 2,
        remaining: 1,
        rate_per_minute: 60,
        eta_seconds: 1,
        waiting_reason: null,
        waiting_source: null,
        waiting_cause: null,
        waiting_since: null,
      },
    ],
  });
export type Progress = z.infer<typeof progress>;

const listedProgress = progress
  .extend({
    data_deleted: z.boolean().describe('Whether all its rows were deleted; counts and price stay'),
    unavailable: z
      .int()
      .describe('Failed rows that a retry looks up again, because their source was unavailable'),
  })
  .meta({ id: 'ListedProgress' });
export type ListedProgress = z.infer<typeof listedProgress>;

const flag = z.enum(['true', 'false']).optional();
const ticketAnswer = z.object({ ticket }).meta({ id: 'TicketAnswer', examples: [{ ticket: ticketExample }] });

export const listTickets = endpoint({
  route: 'GET /tickets',
  access: 'superadmin',
  refusal: m.server_superadmin_only_tickets,
  summary: 'List tickets, newest first, with counts by status',
  query: pagingQuery.extend({
    status: ticketStatus.optional().describe('Tickets of a status; by default all'),
    company_code: companyFilter.optional(),
  }),
  tagged: true,
  response: pageOf(ticketMatch)
    .extend({
      summary: z
        .object({
          total: z.int(),
          pending: z.int(),
          processing: z.int(),
          completed: z.int(),
          cancelled: z.int(),
        })
        .describe('Tickets by status, of the given company'),
    })
    .meta({
      id: 'TicketPage',
      examples: [
        {
          ...examplePage({ ...ticketExample, uploaded_by: null }),
          summary: { total: 1, pending: 0, processing: 1, completed: 0, cancelled: 0 },
        },
      ],
    }),
});

export const createTicket = endpoint({
  route: 'POST /tickets',
  access: 'superadmin',
  refusal: m.server_superadmin_only_tickets,
  summary: 'Create an empty Pending ticket: an order with an expected count',
  headers: idempotencyKey,
  status: 201,
  body: z
    .object({
      data_count: wholeNumber(1).describe('The expected number of devices'),
      company_code: activeCompany,
    })
    .meta({ id: 'NewTicket', examples: [{ data_count: 100, company_code: 'ACM001' }] }),
  response: ticketAnswer,
  failures: [422],
});

export const updateTicket = endpoint({
  route: 'PUT /tickets/{id}',
  access: 'superadmin',
  refusal: m.server_superadmin_only_tickets,
  summary: "Change a ticket's expected count, discount and dollar rate",
  params: idParams,
  body: z
    .object({
      data_count: wholeNumber(1).describe('The expected number of devices'),
      discount: z.int().min(0).max(100).describe('Percent'),
      current_dollar_price: wholeNumber(1).describe('Rupiah per US dollar'),
      version: basedOnVersion,
    })
    .meta({ id: 'TicketTerms' }),
  response: ticketAnswer,
  failures: [404, 409],
});

export const deleteTicket = endpoint({
  route: 'DELETE /tickets/{id}',
  access: 'superadmin',
  refusal: m.server_superadmin_only_tickets,
  summary: 'Delete a ticket that is not Completed, with its rows',
  params: idParams,
  query: z.object({ forget_devices: forgetDevicesFlag }),
  response: messageAnswer,
  failures: [404, 409],
});

export const cancelTicket = endpoint({
  route: 'POST /tickets/{id}/cancel',
  access: 'signed-in',
  summary: 'Stop a Pending or Processing ticket, keeping its results',
  params: idParams,
  response: ticketAnswer,
  failures: [404, 409],
});

export const retryTicket = endpoint({
  route: 'POST /tickets/{id}/retry',
  access: 'superadmin',
  refusal: m.server_superadmin_only_tickets,
  summary: 'Repeat the rows without a result and those that failed with "Source unavailable"',
  params: idParams,
  response: ticketAnswer,
  failures: [404, 409],
});

export const getProgress = endpoint({
  route: 'GET /tickets/progress',
  access: 'signed-in',
  summary: 'Read the progress of a ticket',
  query: z.object({ ticket_number: newestTicketNumber }),
  tagged: true,
  response: progress,
  failures: [404],
});

export const listProgress = endpoint({
  route: 'GET /tickets/all-progress',
  access: 'signed-in',
  summary:
    'List the progress of 200 tickets that have rows, or had some that are billed: running ones, and else the newest',
  query: z.object({ company_code: companyFilter.optional() }),
  tagged: true,
  response: z.object({ data: z.array(listedProgress) }).meta({ id: 'ProgressList' }),
});

/** A small response for any number of tickets, because every screen polls it. */
const activity = z
  .object({
    running: z.int().describe('Tickets with rows that are Pending or Processing'),
    remaining: z.int().describe('Rows of the running tickets without a result'),
    ticket_number: z.string().nullable().describe('The oldest of the running tickets'),
    only: ticket
      .pick({ file_name: true, kind: true, total: true, date: true })
      .nullable()
      .describe('What names the running ticket if there is one alone'),
    percent: z
      .int()
      .nullable()
      .describe('Whole percent of the rows of all running tickets with a result, at most 99'),
    ...waiting.shape,
    ended: z
      .array(
        ticket
          .pick({ ticket_number: true, file_name: true, kind: true, total: true, date: true })
          .extend({ at: z.string() }),
      )
      .describe('The last 5 tickets completed since `since`; an earlier answer may have had some of them'),
    revision: z
      .string()
      .describe(
        'Another text after any change of a ticket, its invoice or client in the scope, and on another day',
      ),
    register_revision: z
      .string()
      .describe(
        'Another text after any change of a device of the register, of own columns, of a saved view, of a schedule of ' +
          'rechecks or of its runs without a ticket in the scope',
      ),
    fields_revision: z
      .string()
      .describe('Another text after any change of own columns or their values in the scope'),
    today: z.string().describe('The day in APP_TIMEZONE, as `YYYY-MM-DD`'),
    as_of: z.string().describe('The `since` of the next call'),
  })
  .meta({
    id: 'Activity',
    description: 'A wait is that of the oldest running ticket, while no ticket makes progress',
  });
export type Activity = z.infer<typeof activity>;

export const getActivity = endpoint({
  route: 'GET /tickets/activity',
  access: 'signed-in',
  summary: 'Read what is running, and which tickets were completed since an instant',
  query: z.object({
    since: z.iso
      .datetime()
      .optional()
      .describe('An instant: the `as_of` of an earlier answer; by default now'),
  }),
  tagged: { without: ['as_of'] },
  response: activity,
});

export const listTicketNumbers = endpoint({
  route: 'GET /tickets/ticket-numbers',
  access: 'signed-in',
  summary: 'List ticket numbers, the latest import first, orders without rows last',
  query: z.object({
    company_code: companyFilter.optional(),
    serial_deleted: flag.describe('Whether the uploaded rows were deleted; by default either'),
    coverage_deleted: flag.describe('Whether the results were deleted; by default either'),
  }),
  tagged: true,
  response: z
    .object({
      data: z.array(
        z.object({
          _id: z.string(),
          ticket_number: z.string(),
          company_code: z.string(),
          status: ticketStatus,
          date: z.string(),
          data_count: dataCount,
          imported,
          total,
          finished: z.int().describe('Rows with a result'),
          file_name: z.string().nullable(),
        }),
      ),
    })
    .meta({ id: 'TicketNumberList' }),
});

export const findTickets = endpoint({
  route: 'GET /tickets/find',
  access: 'signed-in',
  summary: 'Find tickets, the latest import first, orders without rows last',
  heavy: ({ q }) => q !== undefined,
  query: pagingQuery.extend({
    q: z
      .string()
      .trim()
      .max(maxSearchLength)
      .optional()
      .describe(
        'The beginning of a number, or a part of a file name, company, or name or email of who uploaded it',
      ),
    ticket_number: ticketNumber.optional(),
    before: ticketNumber.optional().describe('A number: tickets that were made before that ticket'),
    device_id: idParams.shape.id.optional().describe('The `_id` of a device: tickets that had it'),
    status: ticketStatus.optional().describe('Tickets of a status; by default all'),
    kind: ticketKind.optional(),
    company_code: companyFilter.optional(),
    serial_deleted: flag.describe('Whether the uploaded rows were deleted; by default either'),
    coverage_deleted: flag.describe('Whether the results were deleted; by default either'),
  }),
  tagged: true,
  response: pageOf(ticketMatch).meta({ id: 'TicketMatchPage' }),
});

export const getTicket = endpoint({
  route: 'GET /tickets/by-number',
  access: 'signed-in',
  summary: 'Read a ticket by its number',
  query: z.object({ ticket_number: ticketNumber }),
  tagged: true,
  response: z.object({ ticket: ticketMatch }).meta({
    id: 'TicketMatchAnswer',
    examples: [{ ticket: { ...ticketExample, uploaded_by: null } }],
  }),
  failures: [404],
});

export const getTicketHistory = endpoint({
  route: 'GET /tickets/history',
  access: 'signed-in',
  summary: 'Read when a ticket was created, imported, started and ended, and its work over time',
  query: z.object({ ticket_number: ticketNumber }),
  response: z
    .object({
      created_at: z.string(),
      imported_at: z.string().nullable(),
      started_at: z.string().nullable(),
      finished_at: z.string().nullable(),
      history: z
        .array(z.object({ from: z.string(), finished: z.int() }))
        .describe(
          'Rows finished in each of at most 24 equal spans, from the first to the last minute with work, none left out',
        ),
    })
    .meta({ id: 'TicketHistory' }),
  failures: [404],
});

export const getLastTicket = endpoint({
  route: 'GET /tickets/last',
  access: 'signed-in',
  summary: "Read the caller's newest ticket",
  response: z.object({ ticket: ticket.nullable() }).meta({ id: 'LastTicket' }),
});
