import { record } from '#features/audit/server/audit.service.ts';
import type { OwnField } from '#features/devices/fields.contract.ts';
import { listFields, withFields } from '#features/devices/server/devices.service.ts';
import { describeChange, sumKinds } from '#features/rechecks/server/changes/change-kinds.service.ts';
import { recordName } from '#features/tickets/server/ticket-record.service.ts';
import { requireTicketInScope, type TicketRow } from '#features/tickets/server/tickets.service.ts';
import type { CountCache } from '#server/concurrency/count-cache.ts';
import type { Db } from '#server/db/db.ts';
import type { Caller } from '#server/http/caller.ts';
import { invalidField } from '#server/http/errors/errors.ts';
import type { OpenedFile } from '#server/http/files/send-file.ts';
import type { Context } from '#server/runtime/context.ts';
import { ThreadFiles } from '#server/threads/thread-file.ts';
import { describePage } from '#shared/describe-page.ts';
import type { Locale } from '#shared/locale.ts';
import type { Paging } from '#shared/paging.ts';
import { m } from '#shared/texts/messages.js';
import { type TicketChangeKind, type TicketChangeQuery, ticketChangeKinds } from '../../results.contract.ts';
import { versionOf } from '../ticket-version.ts';
import { countTicketChanges, listTicketChanges, type TicketPair } from './ticket-changes.queries.ts';

/** The thread's task: one file of changes. */
export type TicketChangesJob = {
  tickets: TicketPair;
  kind: TicketChangeKind | null;
  companyCode: string;
  /** The own columns of the company; none if the tickets are of two. */
  fields: OwnField[];
  format: 'excel' | 'json';
  locale: Locale;
};

const files = new ThreadFiles<TicketChangesJob>(
  'ticket changes',
  new URL('./ticket-changes-file.thread.ts', import.meta.url),
);

/**
 * Lists one page of the devices whose answers differ between two tickets, with the counts of all.
 * @throws AppError as `requireTicketPair`
 */
export async function listTicketChangePage(
  { db, config }: Pick<Context, 'db' | 'config'>,
  cache: CountCache,
  caller: Caller,
  { page, limit, kind, ...query }: TicketChangeQuery & Paging,
) {
  const ticketRows = await requireTicketPair(db, caller, query);
  const tickets = pairOf(ticketRows, config.APP_TIMEZONE);
  const versions = [ticketRows.older, ticketRows.newer].map(versionOf);
  // One after the other, because each of them reads all rows of both tickets.
  const counted = await cache.get(['changes', versions], () => countTicketChanges.all(db, tickets));
  const { counts, total } = sumKinds(ticketChangeKinds, counted, kind);
  const listed = await listTicketChanges.all(db, {
    ...tickets,
    kind: kind ?? null,
    limit,
    offset: (page - 1) * limit,
  });
  const rows = areOfOneCompany(ticketRows)
    ? await withFields(db, ticketRows.newer.company_code, listed)
    : listed.map((row) => ({ ...row, fields: {} }));
  return { data: rows.map(describeChange), pagination: describePage(page, limit, total), counts };
}

/**
 * Records the download and opens a file with the changes between two tickets.
 * @param signal aborts when the caller disconnects
 * @throws AppError as `requireTicketPair`; 429 when no slot is free in time
 */
export async function downloadTicketChanges(
  context: Pick<Context, 'db' | 'readRouter' | 'config'>,
  caller: Caller,
  { format, ...query }: TicketChangeQuery & { format: 'excel' | 'json' },
  locale: Locale,
  signal: AbortSignal,
): Promise<OpenedFile> {
  const ticketRows = await requireTicketPair(context.db, caller, query);
  const { older, newer } = ticketRows;
  const begin = () =>
    record(context.db, {
      action: 'results.export',
      objectId: newer.ticket_number,
      companyCode: newer.company_code,
      after: {
        format,
        compared_with: String(older.ticket_number),
        ...(query.kind && { kind: query.kind }),
        ...recordName(newer),
      },
    });
  const tickets = pairOf(ticketRows, context.config.APP_TIMEZONE);
  const { company_code: companyCode } = newer;
  const fields = areOfOneCompany(ticketRows) ? await listFields.all(context.db, { companyCode }) : [];
  const job = { tickets, kind: query.kind ?? null, companyCode, fields, format, locale };
  const content = await files.open(context, job, caller, signal, begin);
  return { content, name: `changes_${older.ticket_number}_${newer.ticket_number}` };
}

type TicketRowPair = { older: TicketRow; newer: TicketRow };

/** Returns whether both tickets have the same own columns. */
const areOfOneCompany = ({ older, newer }: TicketRowPair) => older.company_code === newer.company_code;

/** @throws AppError 404 when either ticket lies outside the caller's scope, 400 when the other one is not older */
async function requireTicketPair(
  db: Db,
  caller: Caller,
  { ticket_number, with: other }: TicketChangeQuery,
): Promise<TicketRowPair> {
  const newer = await requireTicketInScope(db, caller, ticket_number);
  const older = await requireTicketInScope(db, caller, other);
  if (older.ticket_number >= newer.ticket_number) {
    throw invalidField('with', m.server_ticket_pair_order);
  }
  return { older, newer };
}

const pairOf = ({ older, newer }: TicketRowPair, timeZone: string): TicketPair => ({
  older: older.id,
  newer: newer.id,
  timeZone,
});
