import { isRunning } from '#features/tickets/ticket-status.shared.ts';
import type { ListedProgress, Progress, Waiting } from '#features/tickets/tickets.contract.ts';
import type { Db } from '#server/db/db.ts';
import { type Caller, scopeOf } from '#server/http/caller.ts';
import type { Locale } from '#shared/locale.ts';
import { m } from '#shared/texts/messages.js';
import { countRows, describeUploader, isRetryable, ticketNotFound } from '../tickets.service.ts';
import { findNewestProgress, findProgress, listProgressRows, type ProgressRow } from './progress.queries.ts';

const listedTickets = 200;

/**
 * Reads the progress of a ticket, or of the caller's newest one.
 * @throws AppError 404 when it is not in the caller's scope, or there is no ticket
 */
export async function getProgress(
  db: Db,
  caller: Caller,
  ticketNumber: string | undefined,
  locale: Locale,
): Promise<Progress> {
  const scope = scopeOf(caller);
  const row =
    ticketNumber === undefined
      ? await findNewestProgress.first(db, { scope })
      : await findProgress.first(db, { ticketNumber: Number(ticketNumber), scope });
  if (!row) throw ticketNotFound();
  return describeProgress(row, locale);
}

/**
 * Lists the progress of 200 tickets in the caller's scope that have rows, or had some that are billed: the running ones, and
 * else the newest.
 */
export async function listProgress(
  db: Db,
  caller: Caller,
  companyCode: string | undefined,
  locale: Locale,
): Promise<ListedProgress[]> {
  const rows = await listProgressRows.all(db, { scope: scopeOf(caller), companyCode, limit: listedTickets });
  return rows.map((row) => ({
    ...describeProgress(row, locale),
    data_deleted: row.serial_deleted && row.coverage_deleted,
    unavailable: isRetryable(row) ? (row.unavailable ?? 0) : 0,
  }));
}

function describeProgress(row: ProgressRow, locale: Locale): Progress {
  const counts = countRows(row);
  const waiting = isRunning(row) ? describeWaiting(row, locale) : moving;
  const rate = waiting.waiting_reason === null ? row.rate : null;
  return {
    ticket_number: String(row.ticket_number),
    company_code: row.company_code,
    date: row.created_at.toISOString(),
    file_name: row.file_name,
    kind: row.import_kind ?? 'order',
    uploaded_by: describeUploader(row),
    status: row.status,
    ...counts,
    rate_per_minute: rate === null ? null : Math.round(rate * 10) / 10,
    eta_seconds: rate ? Math.ceil((counts.remaining / rate) * 60) : null,
    ...waiting,
  };
}

type WaitingRow = Pick<ProgressRow, 'waiting_for' | 'waiting_source' | 'waiting_cause' | 'waiting_since'>;

const moving: Waiting = {
  waiting_reason: null,
  waiting_source: null,
  waiting_cause: null,
  waiting_since: null,
};

/** Describes the source, proxies or turn that a running ticket waits for, why and since when. */
export function describeWaiting(row: WaitingRow, locale: Locale): Waiting {
  const { waiting_for, waiting_source, waiting_cause, waiting_since } = row;
  if (waiting_for === null) return moving;
  return {
    waiting_reason: {
      turn: () => m.server_waiting_turn({}, { locale }),
      proxies: () => m.server_waiting_proxies({}, { locale }),
      source: () => m.server_waiting_source({ source: waiting_source ?? '' }, { locale }),
    }[waiting_for](),
    waiting_source,
    waiting_cause,
    waiting_since: waiting_since?.toISOString() ?? null,
  };
}
