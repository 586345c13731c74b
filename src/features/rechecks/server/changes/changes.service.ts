import { record } from '#features/audit/server/audit.service.ts';
import type { OwnField } from '#features/devices/fields.contract.ts';
import { listFields, registerTicket, withFields } from '#features/devices/server/devices.service.ts';
import { findTicketByNumber, ticketNotFound } from '#features/tickets/server/tickets.service.ts';
import type { Db } from '#server/db/db.ts';
import type { Caller } from '#server/http/caller.ts';
import type { OpenedFile } from '#server/http/files/send-file.ts';
import type { Context } from '#server/runtime/context.ts';
import { ThreadFiles } from '#server/threads/thread-file.ts';
import { describePage } from '#shared/describe-page.ts';
import type { Locale } from '#shared/locale.ts';
import type { Paging } from '#shared/paging.ts';
import { type ChangeQuery, changeKinds } from '../../rechecks.contract.ts';
import { requireRecheck } from '../rechecks.service.ts';
import { findLatestTicket } from '../runs/runs.queries.ts';
import { countChanges, listChangePage, type ScopedChangeQuery } from './changes.queries.ts';
import { describeChange } from './describe-change.ts';
import { sumKinds } from './sum-kinds.ts';

/** The thread's task: one file of changes. */
export type ChangesFileJob = {
  scopedQuery: ScopedChangeQuery;
  fields: OwnField[];
  format: 'excel' | 'json';
  locale: Locale;
};

const files = new ThreadFiles<ChangesFileJob>(
  'changes',
  new URL('./changes-file.thread.ts', import.meta.url),
);

/**
 * Lists one page of the changes that a ticket found, with the counts of all.
 * @throws AppError 404 for a company outside the caller's scope, or a ticket of another company
 */
export async function listRecheckChanges(
  context: Context & { reads: Db },
  caller: Caller,
  companyCode: string,
  { page, limit, ...query }: ChangeQuery & Paging,
) {
  const scopedQuery = await resolveChangeQuery(context, caller, companyCode, query);
  const { reads } = context;
  const [listed, counted] = await Promise.all([
    scopedQuery ? listChangePage(reads, scopedQuery, limit, (page - 1) * limit) : [],
    scopedQuery ? countChanges(reads, scopedQuery) : [],
  ]);
  const rows = await withFields(reads, companyCode, listed);
  const { counts, total } = sumKinds(changeKinds, counted, query.kind);
  return {
    data: rows.map(describeChange),
    pagination: describePage(page, limit, total),
    counts,
    ticket_number: scopedQuery?.ticketNumber ?? null,
  };
}

/**
 * Records the download and opens a file with the changes that a ticket found.
 * @param signal aborts when the caller disconnects
 * @throws AppError 404 as `listRecheckChanges`, and before the first run; 429 when no slot is free in time
 */
export async function downloadRecheckChanges(
  context: Pick<Context, 'db' | 'readRouter' | 'config' | 'log'>,
  caller: Caller,
  companyCode: string,
  { format, ...query }: ChangeQuery & { format: 'excel' | 'json' },
  locale: Locale,
  signal: AbortSignal,
): Promise<OpenedFile> {
  const scopedQuery = await resolveChangeQuery(context, caller, companyCode, query);
  if (!scopedQuery) throw ticketNotFound();
  const { ticketNumber, kind } = scopedQuery;
  const begin = () =>
    record(context.db, {
      action: 'recheck.export',
      objectId: companyCode,
      companyCode,
      after: { format, ticket_number: ticketNumber, kind },
    });
  const fields = await listFields.all(context.db, { companyCode });
  const content = await files.open(context, { scopedQuery, fields, format, locale }, caller, signal, begin);
  return { content, name: `changes_${companyCode}_${ticketNumber}` };
}

/** Finds the ticket of a query, and registers its latest results. Undefined without a number before the first run. */
async function resolveChangeQuery(
  { db, config, log }: Pick<Context, 'db' | 'config' | 'log'>,
  caller: Caller,
  companyCode: string,
  { ticket_number: requestedNumber, kind }: ChangeQuery,
): Promise<ScopedChangeQuery | undefined> {
  await requireRecheck(db, caller, companyCode);
  const number = requestedNumber ?? (await findLatestTicket.first(db, { companyCode }))?.ticket_number;
  if (number === undefined) return;
  const ticket = await findTicketByNumber.first(db, { ticketNumber: Number(number), scope: companyCode });
  if (!ticket) throw ticketNotFound();
  await registerTicket(db, ticket.id).catch((err: unknown) =>
    log.warn(
      { err, company: companyCode },
      'the latest results could not be registered before their changes were read',
    ),
  );
  return { companyCode, ticketNumber: String(number), kind: kind ?? null, timeZone: config.APP_TIMEZONE };
}
