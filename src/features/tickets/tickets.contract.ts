import { z } from 'zod';
import { idParams, messageAnswer, ticketNumber, wholeNumber } from '#shared/answers.ts';
import { endpoint } from '#shared/endpoint.ts';
import type { Locale } from '#shared/locale.ts';
import { pageOf, pagingQuery } from '#shared/paging.ts';
import { m } from '#shared/texts/messages.js';
import { ticketStatuses } from '#shared/ticket-status.ts';

const refusal = (locale: Locale) => m.server_superadmin_only_tickets({}, { locale });

export const ticketStatus = z.enum(ticketStatuses);

/** A ticket as answered anywhere; `price` in dollars, the four amounts after `discount` in rupiah. */
export const ticket = z.object({
  _id: z.string(),
  ticket_number: z.string(),
  company_code: z.string(),
  date: z.string(),
  status: ticketStatus,
  data_count: z.int(),
  total: z.int(),
  done: z.int(),
  failed: z.int(),
  remaining: z.int(),
  percent: z.int(),
  price: z.number(),
  current_dollar_price: z.int(),
  discount: z.int(),
  price_per_data: z.number(),
  subtotal: z.number(),
  discount_amount: z.number(),
  total_amount: z.number(),
  file_name: z.string().nullable(),
  serial_deleted: z.boolean(),
  coverage_deleted: z.boolean(),
  /** Grows with every change of count, discount and rate. */
  version: z.int(),
  /** Whether it has ended and a retry would look any of its rows up again, or may, where they were not counted. */
  retryable: z.boolean(),
});
export type Ticket = z.infer<typeof ticket>;

const waitingCause = z.enum(['paused', 'down', 'auth', 'quota', 'proxies']);
export type WaitingCause = z.infer<typeof waitingCause>;

/** What a ticket under way waits for, in words and in parts; all null while it moves. */
const waiting = z.object({
  waiting_reason: z.string().nullable(),
  /** The label of the source that it waits for; null where it waits for proxies. */
  waiting_source: z.string().nullable(),
  /** Why it may not go on: a source that is paused by hand, down, refuses us or has used up our quota, or no proxies. */
  waiting_cause: waitingCause.nullable(),
  /** When it began to wait for that. */
  waiting_since: z.string().nullable(),
});
export type Waiting = z.infer<typeof waiting>;

const progress = z.object({
  ticket_number: z.string(),
  company_code: z.string(),
  date: z.string(),
  status: ticketStatus,
  percent: z.int(),
  done: z.int(),
  failed: z.int(),
  total: z.int(),
  remaining: z.int(),
  rate_per_minute: z.number().nullable(),
  eta_seconds: z.int().nullable(),
  ...waiting.shape,
});
export type Progress = z.infer<typeof progress>;

const deletedFlag = z.enum(['true', 'false']).optional();
const companyCode = z.string('server_select_company').min(1, 'server_select_company').max(20);
const ticketAnswer = z.object({ ticket });

/**
 * How the work on a ticket went: rows finished from each instant on, in at most 24 even spans from the first to the last
 * minute with work, none left out.
 */
const history = z.array(z.object({ from: z.string(), finished: z.int() }));

const listedTicket = ticket.extend({ history });
export type ListedTicket = z.infer<typeof listedTicket>;

export const listTickets = endpoint({
  method: 'GET',
  path: '/tickets',
  access: 'superadmin',
  refusal,
  summary: 'List tickets by number, newest first, with counts by status',
  query: pagingQuery.extend({ status: ticketStatus.optional(), company_code: companyCode.optional() }),
  tagged: true,
  response: pageOf(listedTicket).extend({
    summary: z.object({
      total: z.int(),
      pending: z.int(),
      processing: z.int(),
      completed: z.int(),
      cancelled: z.int(),
    }),
  }),
});

export const createTicket = endpoint({
  method: 'POST',
  path: '/tickets',
  access: 'superadmin',
  refusal,
  summary: 'Create an empty Pending ticket: an order with an expected count',
  status: 201,
  body: z.object({ data_count: wholeNumber(1), company_code: companyCode }),
  response: ticketAnswer,
});

export const updateTicket = endpoint({
  method: 'PUT',
  path: '/tickets/{id}',
  access: 'superadmin',
  refusal,
  summary: "Change a ticket's expected count, discount and dollar rate",
  params: idParams,
  body: z.object({
    data_count: wholeNumber(1),
    discount: z.int().min(0).max(100),
    current_dollar_price: wholeNumber(1),
    /** The version that the change was made from: another one by now answers 409. */
    version: wholeNumber(0).optional(),
  }),
  response: ticketAnswer,
});

export const deleteTicket = endpoint({
  method: 'DELETE',
  path: '/tickets/{id}',
  access: 'superadmin',
  refusal,
  summary: 'Delete a ticket that is not Completed, with its rows',
  params: idParams,
  response: messageAnswer,
});

export const cancelTicket = endpoint({
  method: 'POST',
  path: '/tickets/{id}/cancel',
  access: 'superadmin',
  refusal,
  summary: 'Stop a Pending or Processing ticket, keeping what is done',
  params: idParams,
  response: ticketAnswer,
});

export const retryTicket = endpoint({
  method: 'POST',
  path: '/tickets/{id}/retry',
  access: 'superadmin',
  refusal,
  summary: 'Look up again the rows that are pending or failed with "Source unavailable"',
  params: idParams,
  response: ticketAnswer,
});

export const getProgress = endpoint({
  method: 'GET',
  path: '/tickets/progress',
  access: 'signed-in',
  summary: "Progress of one ticket, or of the caller's newest",
  query: z.object({ ticket_number: ticketNumber.optional() }),
  tagged: true,
  response: progress,
});

export const listProgress = endpoint({
  method: 'GET',
  path: '/tickets/all-progress',
  access: 'signed-in',
  summary: 'Progress of the newest 200 tickets with rows',
  query: z.object({ company_code: companyCode.optional() }),
  tagged: true,
  response: z.object({ data: z.array(progress) }),
});

/** What runs and what just ended, in few bytes however many tickets there are: every screen asks for it. */
const activity = z.object({
  /** Tickets with rows that are Pending or Processing. */
  running: z.int(),
  /** The oldest of them. */
  ticket_number: z.string().nullable(),
  /** Whole percent of all their rows that have a result, at most 99. */
  percent: z.int().nullable(),
  /** What the oldest of them waits for; null while any of them moves. */
  ...waiting.shape,
  /** The latest that were completed, and when; some of them the answer before may have told already. */
  ended: z.array(z.object({ ticket_number: z.string(), at: z.string() })),
  /** The `since` of the next call. */
  as_of: z.string(),
});
export type Activity = z.infer<typeof activity>;

export const getActivity = endpoint({
  method: 'GET',
  path: '/tickets/activity',
  access: 'signed-in',
  summary: 'What is being processed within the scope of the caller, and the last 5 tickets completed since',
  query: z.object({ since: z.iso.datetime().optional() }),
  tagged: { without: ['as_of'] },
  response: activity,
});

export const listTicketNumbers = endpoint({
  method: 'GET',
  path: '/tickets/ticket-numbers',
  access: 'signed-in',
  summary: 'Ticket numbers within the scope of the caller, the latest import first, orders without rows last',
  query: z.object({
    company_code: companyCode.optional(),
    serial_deleted: deletedFlag,
    coverage_deleted: deletedFlag,
  }),
  tagged: true,
  response: z.object({
    data: z.array(
      z.object({
        _id: z.string(),
        ticket_number: z.string(),
        company_code: z.string(),
        status: ticketStatus,
        date: z.string(),
        data_count: z.int(),
        total: z.int(),
        /** Rows with a result. */
        finished: z.int(),
        file_name: z.string().nullable(),
      }),
    ),
  }),
});

export const getTicket = endpoint({
  method: 'GET',
  path: '/tickets/by-number/{ticket_number}',
  access: 'signed-in',
  summary: 'One ticket by its number',
  params: z.object({ ticket_number: ticketNumber }),
  tagged: true,
  response: ticketAnswer,
});

export const getTicketHistory = endpoint({
  method: 'GET',
  path: '/tickets/history',
  access: 'signed-in',
  summary: 'When a ticket was created, imported, started and ended, and how the work on it went',
  query: z.object({ ticket_number: ticketNumber }),
  response: z.object({
    created_at: z.string(),
    imported_at: z.string().nullable(),
    started_at: z.string().nullable(),
    finished_at: z.string().nullable(),
    history,
  }),
});

export const getLastTicket = endpoint({
  method: 'GET',
  path: '/tickets/last',
  access: 'signed-in',
  summary: "The caller's newest ticket",
  response: z.object({ ticket: ticket.nullable() }),
});
