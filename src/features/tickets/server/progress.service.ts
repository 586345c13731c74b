import { type Caller, scopeOf } from '#server/caller.ts';
import type { Db } from '#server/db.ts';
import { ticketNotFound } from '#server/errors.ts';
import type { Locale } from '#shared/locale.ts';
import { m } from '#shared/texts/messages.js';
import { isRunning } from '#shared/ticket-status.ts';
import type { Progress } from '../tickets.contract.ts';
import { findProgress, listProgressRows, type ProgressRow } from './progress.queries.ts';
import { countRows, getTicketOrNewest } from './tickets.service.ts';

const listedTickets = 200;

/**
 * Progress of a ticket, or of the caller's newest one.
 * @throws AppError 404 when it is not in the caller's scope, or when there is no ticket at all
 */
export async function getProgress(
  db: Db,
  caller: Caller,
  ticketNumber: string | undefined,
  locale: Locale,
): Promise<Progress> {
  const ticket = await getTicketOrNewest(db, caller, ticketNumber);
  const row = ticket && (await findProgress(db, ticket.id));
  if (!row) throw ticketNotFound();
  return describeProgress(row, locale);
}

/** Progress of the newest tickets with rows in the caller's scope. */
export async function listProgress(
  db: Db,
  caller: Caller,
  companyCode: string | undefined,
  locale: Locale,
): Promise<Progress[]> {
  const rows = await listProgressRows(db, scopeOf(caller), companyCode, listedTickets);
  return rows.map((row) => describeProgress(row, locale));
}

function describeProgress(row: ProgressRow, locale: Locale): Progress {
  const counts = countRows(row);
  const waiting_reason = isRunning(row) ? describeWaiting(row, locale) : null;
  const rate = waiting_reason === null ? row.rate : null;
  return {
    ticket_number: String(row.ticket_number),
    company_code: row.company_code,
    date: row.created_at.toISOString(),
    status: row.status,
    ...counts,
    rate_per_minute: rate === null ? null : Math.round(rate * 10) / 10,
    eta_seconds: rate ? Math.ceil((counts.remaining / rate) * 60) : null,
    waiting_reason,
  };
}

/** What a running ticket waits for, in words; null while it moves. */
export function describeWaiting(
  row: Pick<ProgressRow, 'waiting_for' | 'waiting_source'>,
  locale: Locale,
): string | null {
  if (row.waiting_for === 'proxies') return m.server_waiting_proxies({}, { locale });
  if (row.waiting_for === 'source') {
    return m.server_waiting_source({ source: row.waiting_source ?? '' }, { locale });
  }
  return null;
}
