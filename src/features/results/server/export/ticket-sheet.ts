import { describeTicket, type TicketRow } from '#features/tickets/server/tickets.service.ts';
import type { Cell } from '#server/workbook/cell.ts';
import { clockOf } from '#server/workbook/dates.ts';
import type { Locale } from '#shared/locale.ts';
import { m } from '#shared/texts/messages.js';

/** The number of exported rows, in total and by source. */
export type ExportedRows = { count: number; bySource: Map<string, number> };

type Line = [label: string, value: Cell];

const instant = (at: Date | null, clock: (at: Date) => number): Cell =>
  at && { value: clock(at), form: 'instant' };

/** The name and columns of the sheet about the ticket. */
export const ticketHead = {
  name: m.server_ticket_sheet,
  columns: [
    { header: m.server_ticket_figure, width: 30 },
    { header: m.server_ticket_value, width: 30 },
  ],
};

/** Lists the lines of that sheet: counts, price, rows by source, and the time of the export. */
export function listTicketLines(
  ticket: TicketRow | null,
  exported: ExportedRows,
  context: { locale: Locale; timeZone: string; now: Date },
): Cell[][] {
  const clock = clockOf(context.timeZone);
  const options = { locale: context.locale };
  return [
    ...(ticket
      ? [
          ...nameTicket(ticket, clock, options),
          ...countTicket(ticket, options),
          ...priceTicket(ticket, options),
        ]
      : []),
    [m.server_ticket_exported_rows({}, options), exported.count],
    ...[...exported.bySource].map(
      ([source, count]): Line => [m.server_ticket_source({ source }, options), count],
    ),
    [m.server_ticket_exported_at({}, options), instant(context.now, clock)],
    [m.server_ticket_time_zone({}, options), context.timeZone],
  ];
}

type Options = { locale: Locale };

function nameTicket(ticket: TicketRow, clock: (at: Date) => number, options: Options): Line[] {
  return [
    [m.server_ticket_number({}, options), String(ticket.ticket_number)],
    [m.server_ticket_company({}, options), ticket.company_code],
    [m.server_ticket_status({}, options), statusTexts[ticket.status]({}, options)],
    [m.server_ticket_file({}, options), ticket.file_name],
    [m.server_ticket_imported_at({}, options), instant(ticket.imported_at, clock)],
    [m.server_ticket_finished_at({}, options), instant(ticket.finished_at, clock)],
  ];
}

const statusTexts = {
  Pending: m.tickets_status_pending,
  Processing: m.tickets_status_processing,
  Completed: m.tickets_status_completed,
  Cancelled: m.tickets_status_cancelled,
};

function countTicket(ticket: TicketRow, options: Options): Line[] {
  return [
    [m.server_ticket_total({}, options), ticket.total],
    [m.server_ticket_done({}, options), ticket.done],
    [m.server_ticket_activated({}, options), { value: ticket.activated, tone: 'good' }],
    [m.server_ticket_unactivated({}, options), { value: ticket.unactivated, tone: 'quiet' }],
    [m.server_ticket_unknown({}, options), ticket.done - ticket.activated - ticket.unactivated],
    [
      m.server_ticket_failed_rows({}, options),
      { value: ticket.failed, tone: ticket.failed > 0 ? 'bad' : 'none' },
    ],
    ...(ticket.known_count > 0
      ? [[m.server_ticket_known({}, options), ticket.known_count] satisfies Line]
      : []),
    [m.server_ticket_remaining({}, options), ticket.total - ticket.done - ticket.failed],
    [m.server_ticket_invalid({}, options), ticket.invalid_count],
    [m.server_ticket_duplicates({}, options), ticket.duplicate_count],
  ];
}

function priceTicket(ticket: TicketRow, options: Options): Line[] {
  const { billable, price_per_data, subtotal, discount_amount, total_amount } = describeTicket(ticket, null);
  const rupiah = (value: number): Cell => ({ value, form: 'money' });
  return [
    [m.server_ticket_price_usd({}, options), Number(ticket.price)],
    [m.server_ticket_rate({}, options), rupiah(ticket.current_dollar_price)],
    [m.server_ticket_price({}, options), rupiah(price_per_data)],
    ...(ticket.known_count > 0 ? [[m.server_ticket_billable({}, options), billable] satisfies Line] : []),
    [m.server_ticket_subtotal({}, options), rupiah(subtotal)],
    [m.server_ticket_discount({ percent: String(ticket.discount) }, options), rupiah(discount_amount)],
    [m.server_ticket_total_price({}, options), rupiah(total_amount)],
  ];
}
