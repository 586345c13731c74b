import type { FastifyInstance } from 'fastify';
import { CountCache } from '#server/concurrency/count-cache.ts';
import { sendFile } from '#server/http/files/send-file.ts';
import { route } from '#server/http/route.ts';
import type { Context } from '#server/runtime/context.ts';
import { m } from '#shared/texts/messages.js';
import * as contract from '../results.contract.ts';
import { downloadAnnotated, getOriginal } from './annotated/annotated.service.ts';
import { compareTickets } from './compare/compare-tickets.service.ts';
import { downloadTicketChanges, listTicketChangePage } from './compare/ticket-changes.service.ts';
import { downloadResults } from './export/export.service.ts';
import { deleteResults, listResults } from './results.service.ts';

/** Serves the rows of a ticket: to read, to download and to delete. */
export function registerResults(app: FastifyInstance, context: Context): void {
  const cache = new CountCache();
  route(app, contract, 'listResults', ({ query, caller, db }) =>
    listResults({ ...context, db }, cache, caller, query),
  );
  route(app, contract, 'compareTickets', ({ query, caller, db }) =>
    compareTickets({ ...context, db }, cache, caller, query.tickets),
  );
  route(app, contract, 'listTicketChanges', ({ query, caller, db }) =>
    listTicketChangePage({ ...context, db }, cache, caller, query),
  );
  route(app, contract, 'downloadTicketChanges', ({ query, caller, locale, reply }) =>
    sendFile(reply, query.format, (signal) => downloadTicketChanges(context, caller, query, locale, signal)),
  );
  route(app, contract, 'deleteResults', async ({ params, query, caller, locale }) => {
    await deleteResults(context, caller, params.ticket_number, query.forget_devices);
    return { message: m.server_results_deleted({}, { locale }) };
  });
  route(app, contract, 'downloadResults', ({ query, caller, locale, reply }) =>
    sendFile(reply, query.format, (signal) => downloadResults(context, caller, query, locale, signal)),
  );
  route(app, contract, 'getOriginal', ({ params, caller }) => getOriginal(context.db, caller, params.ticket));
  route(app, contract, 'downloadAnnotated', ({ params, caller, locale, reply }) =>
    sendFile(reply, 'excel', (signal) => downloadAnnotated(context, caller, params.ticket, locale, signal)),
  );
}
