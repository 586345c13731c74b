import type { ImportAnswer } from '#features/imports/imports.contract.ts';
import { listResults, type ResultRow } from '#features/results/results.contract.ts';
import {
  findTickets,
  getProgress,
  getTicket,
  type Progress,
  type Ticket,
  type TicketMatch,
} from '#features/tickets/tickets.contract.ts';
import { makeImeis } from '#tests/support/sheets/devices.ts';
import type { FakeApi } from './fake-api.ts';
import { onePage } from './paging.ts';

/** A Completed ticket of ACM001, without an import report. */
export const ticket: TicketMatch = {
  _id: '7',
  ticket_number: '7',
  company_code: 'ACM001',
  date: '2026-01-05T03:00:00.000Z',
  status: 'Completed',
  data_count: 3,
  total: 3,
  done: 3,
  failed: 0,
  remaining: 0,
  percent: 100,
  known_count: 0,
  billable: 3,
  price: 0.05,
  current_dollar_price: 16_000,
  discount: 0,
  price_per_data: 800,
  subtotal: 2400,
  discount_amount: 0,
  total_amount: 2400,
  file_name: null,
  kind: 'order',
  imported: false,
  serial_deleted: false,
  coverage_deleted: false,
  version: 1,
  invoice: null,
  retryable: false,
  uploaded_by: null,
};

/** The answer to an upload of one serial. */
export const imported: ImportAnswer = {
  message: 'Successfully imported 1 serial number',
  ticket: { ...ticket, status: 'Processing' },
  imported_count: 1,
  invalid_count: 0,
  duplicate_count: 0,
  known_count: 0,
  header_skipped: false,
  duplicates: [],
  invalid: [],
};

/** Makes rows of the ticket, all done. */
export const makeRows = (count: number): ResultRow[] =>
  makeImeis(count).map((serial, index) => ({
    _id: String(index + 1),
    position: index + 1,
    serial_number: serial,
    type: 'iPhone 15 Pro',
    activation_status: 'activated',
    purchase_date: '2025-03-14',
    warranty_title: 'Limited Warranty',
    coverage_start_date: '2025-03-14',
    coverage_end_date: '2026-03-13',
    coverage_expires: 'Expired',
    timestamp: '2026-11-11T04:11:11.000Z',
    state: 'done',
    reason: null,
    details: null,
    original: null,
    sheet_row: index + 2,
    source: 'sandbox',
    attempts: 1,
    egress: 'direct',
    cached: false,
    fields: {},
  }));

/** A failed row. */
export const invalid: Partial<ResultRow> = {
  type: null,
  activation_status: null,
  purchase_date: null,
  warranty_title: null,
  coverage_start_date: null,
  coverage_end_date: null,
  coverage_expires: null,
  state: 'failed',
  reason: 'Invalid serial number',
};

/** Answers these rows of the ticket for any page, order or filter. */
export function answerRows(
  api: FakeApi,
  rows: ResultRow[],
  {
    total = rows.length,
    reasons = {} as Record<string, number>,
    ticket: change = {} as Partial<Ticket>,
  } = {},
): void {
  const failed = Object.values(reasons).reduce((sum, count) => sum + count, 0);
  const counts = {
    activated: total - failed,
    unactivated: 0,
    unknown: 0,
    pending: 0,
    ending_30: 0,
    expired: 0,
  };
  api.answer(listResults, {
    data: rows,
    pagination: onePage(total),
    ticket: { ...ticket, total, ...change },
    counts: { all: total, failed, ...counts, reasons },
    values: { types: [{ value: 'iPhone 15 Pro', count: total }], warranties: [] },
  });
}

export const progress: Progress = {
  ticket_number: '7',
  company_code: 'ACM001',
  date: ticket.date,
  file_name: 'devices.xlsx',
  kind: 'upload',
  uploaded_by: null,
  status: 'Completed',
  percent: 100,
  done: 3,
  failed: 0,
  total: 3,
  remaining: 0,
  rate_per_minute: null,
  eta_seconds: null,
  waiting_reason: null,
  waiting_source: null,
  waiting_cause: null,
  waiting_since: null,
};

/** Answers every search for tickets with these. */
export function answerFound(api: FakeApi, ...tickets: Partial<TicketMatch>[]): void {
  api.answer(findTickets, {
    data: tickets.map((found) => ({ ...ticket, kind: 'upload' as const, ...found })),
    pagination: onePage(tickets.length),
  });
}

/** Answers the calls about the ticket, except its rows. */
export function answerTicket(api: FakeApi): void {
  api.answer(getTicket, { ticket });
  api.answer(getProgress, progress);
  answerFound(api, ticket);
}
