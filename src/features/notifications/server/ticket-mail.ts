import { translateReason } from '#features/imports/failure-texts.shared.ts';
import { describeWaiting } from '#features/tickets/server/progress/progress.service.ts';
import { countRows, type TicketRow } from '#features/tickets/server/tickets.service.ts';
import { addNumber, nameUpload } from '#features/tickets/ticket-names.shared.ts';
import type { Fact, MailContent } from '#server/mail/mail-content.ts';
import { formatCount } from '#shared/format-count.ts';
import type { Locale } from '#shared/locale.ts';
import { m } from '#shared/texts/messages.js';

type About = {
  ticket: TicketRow;
  /** Its failed rows by reason. */
  failures: { reason: string | null; count: number }[];
  publicUrl: string;
};

/** Writes the mail that tells the end of a ticket, in one language. @param attached whether it has the workbook */
export function writeCompleted(about: About, attached: boolean, locale: Locale): MailContent {
  const { ticket } = about;
  const counts = (['done', 'activated', 'unactivated', 'failed'] as const).map(
    (field): Fact => [countNames[field]({}, { locale }), formatCount(ticket[field], locale)],
  );
  return {
    ...frame(about, locale),
    heading: m.notifications_completed_subject({ ticket: nameTicket(ticket, locale) }, { locale }),
    paragraphs: [
      attached
        ? m.notifications_completed_attached({}, { locale })
        : m.notifications_completed_text({}, { locale }),
    ],
    figures: [
      ...nameFile(ticket, locale),
      [m.server_ticket_total({}, { locale }), formatCount(ticket.total, locale)],
      ...counts,
    ],
    breakdowns: breakDown(about, locale),
  };
}

const countNames = {
  done: m.server_ticket_done,
  activated: m.server_ticket_activated,
  unactivated: m.server_ticket_unactivated,
  failed: m.server_ticket_failed_rows,
};

/** Writes the mail that tells that a ticket waits, in one language. */
export function writeWaiting(about: About, locale: Locale): MailContent {
  const { ticket } = about;
  const { total, done, failed } = countRows(ticket);
  const finished = { finished: formatCount(done + failed, locale), total: formatCount(total, locale) };
  return {
    ...frame(about, locale),
    heading: m.notifications_waiting_subject({ ticket: nameTicket(ticket, locale) }, { locale }),
    paragraphs: [m.notifications_waiting_text({}, { locale })],
    figures: [
      ...nameFile(ticket, locale),
      [m.notifications_reason({}, { locale }), describeWaiting(ticket, locale).waiting_reason ?? '–'],
      [m.notifications_finished({}, { locale }), m.notifications_finished_of(finished, { locale })],
    ],
    breakdowns: breakDown(about, locale),
  };
}

function breakDown({ failures }: About, locale: Locale): NonNullable<MailContent['breakdowns']> {
  if (failures.length === 0) return [];
  const figures = failures.map(
    ({ reason, count }): Fact => [translateReason(reason ?? '–', { locale }), formatCount(count, locale)],
  );
  return [{ heading: m.notifications_failures({}, { locale }), figures }];
}

/** Names a ticket as screens do. Only uploads are announced by mail. */
const nameTicket = (ticket: TicketRow, locale: Locale) =>
  addNumber(nameUpload(ticket, locale), ticket.ticket_number);

const nameFile = ({ file_name: name }: TicketRow, locale: Locale): Fact[] =>
  name === null ? [] : [[m.server_ticket_file({}, { locale }), name]];

const frame = ({ ticket, publicUrl }: About, locale: Locale) => ({
  locale,
  links: [
    {
      label: m.notifications_open({}, { locale }),
      url: `${publicUrl}/dashboard/tickets/${ticket.ticket_number}`,
    },
  ],
  footer: {
    text: m.notifications_footer({}, { locale }),
    link: { label: m.common_menu_notifications({}, { locale }), url: `${publicUrl}/dashboard/notifications` },
  },
});
