import type { FastifyInstance } from 'fastify';
import { flagOf } from '#server/db/filter-sql.queries.ts';
import { scopeOf } from '#server/http/caller.ts';
import { readKey } from '#server/http/idempotent-change.ts';
import { route } from '#server/http/route.ts';
import type { Context } from '#server/runtime/context.ts';
import { repeatWork } from '#server/runtime/repeat-work.ts';
import { m } from '#shared/texts/messages.js';
import * as contract from '../tickets.contract.ts';
import {
  cancelTicket,
  createTicket,
  deleteTicket,
  retryTicket,
  updateTicket,
} from './editing/ticket-edits.service.ts';
import { findTickets } from './finding/find-tickets.service.ts';
import { getActivity } from './progress/activity.service.ts';
import { getProgress, listProgress } from './progress/progress.service.ts';
import { resumeRowDeletions } from './row-deletions/row-deletions.service.ts';
import { findNewestTicket, listTicketNumbers } from './tickets.queries.ts';
import {
  countRows,
  describeTicket,
  describeTicketMatch,
  getTicketHistory,
  listTickets,
  requireTicketInScope,
} from './tickets.service.ts';

const deletionsMs = 20_000;

/** Serves tickets, their changes and their progress, and finishes interrupted deletions. */
export function registerTickets(app: FastifyInstance, context: Context): void {
  const { db, log } = context;
  const deletions = {
    everyMs: deletionsMs,
    failure: 'deletions that were interrupted could not be finished yet',
  };
  repeatWork(app, log, deletions, (signal) => resumeRowDeletions(db, log, signal));
  route(app, contract, 'listTickets', ({ query, caller }) => listTickets(db, caller, query));
  route(app, contract, 'createTicket', async ({ body, caller, request }) => ({
    ticket: await createTicket(context, caller, body, readKey(request)),
  }));
  route(app, contract, 'updateTicket', async ({ params, body, caller }) => ({
    ticket: describeTicket(await updateTicket(db, caller, params.id, body), caller),
  }));
  route(app, contract, 'deleteTicket', async ({ params, query, caller, locale }) => {
    await deleteTicket(context, caller, params.id, query.forget_devices);
    return { message: m.server_ticket_deleted({}, { locale }) };
  });
  route(app, contract, 'cancelTicket', async ({ params, caller }) => ({
    ticket: describeTicket(await cancelTicket(db, caller, params.id), caller),
  }));
  route(app, contract, 'retryTicket', async ({ params, caller }) => ({
    ticket: describeTicket(await retryTicket(db, caller, params.id), caller),
  }));
  route(app, contract, 'getProgress', ({ query, caller, locale }) =>
    getProgress(db, caller, query.ticket_number, locale),
  );
  route(app, contract, 'listProgress', async ({ query, caller, locale }) => ({
    data: await listProgress(db, caller, query.company_code, locale),
  }));
  route(app, contract, 'getActivity', ({ query, caller, locale }) =>
    getActivity(context, caller, query.since, locale),
  );
  route(app, contract, 'findTickets', ({ query, caller, db }) => findTickets(db, caller, query));
  route(app, contract, 'listTicketNumbers', async ({ query, caller }) => {
    const rows = await listTicketNumbers.all(db, {
      scope: scopeOf(caller),
      companyCode: query.company_code,
      serialDeleted: flagOf(query.serial_deleted),
      coverageDeleted: flagOf(query.coverage_deleted),
    });
    return {
      data: rows.map((row) => ({
        _id: String(row.id),
        ticket_number: String(row.ticket_number),
        company_code: row.company_code,
        status: row.status,
        date: row.created_at.toISOString(),
        data_count: row.data_count,
        imported: row.imported_at !== null,
        total: countRows(row).total,
        finished: row.done + row.failed,
        file_name: row.file_name,
      })),
    };
  });
  route(app, contract, 'getTicket', async ({ query, caller }) => ({
    ticket: describeTicketMatch(await requireTicketInScope(db, caller, query.ticket_number), caller),
  }));
  route(app, contract, 'getTicketHistory', ({ query, caller }) =>
    getTicketHistory(db, caller, query.ticket_number),
  );
  route(app, contract, 'getLastTicket', async ({ caller }) => {
    const row = await findNewestTicket.first(db, { scope: scopeOf(caller) });
    return { ticket: row ? describeTicket(row, caller) : null };
  });
}
