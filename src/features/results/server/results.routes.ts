import type { FastifyInstance } from 'fastify';
import { excelType, sendFile } from '#server/http/files/send-file.ts';
import { route } from '#server/http/route.ts';
import type { Context } from '#server/runtime/context.ts';
import { m } from '#shared/texts/messages.js';
import * as contract from '../results.contract.ts';
import { compareTickets } from './compare/compare-tickets.service.ts';
import { CountCache } from './count-cache.ts';
import { exportCoverage } from './export/export.service.ts';
import { deleteCoverage, readCoverage } from './results.service.ts';

const contentTypes = { excel: excelType, json: 'application/json; charset=utf-8' };

/** Serves the rows of a ticket: to read, to download and to delete. */
export function registerResults(app: FastifyInstance, context: Context): void {
  const cache = new CountCache();
  route(app, contract.listCoverage, ({ query, caller, db }) =>
    readCoverage({ ...context, db }, cache, caller, query),
  );
  route(app, contract.compareTickets, ({ query, caller, db }) =>
    compareTickets({ ...context, db }, cache, caller, query.tickets),
  );
  route(app, contract.deleteCoverage, async ({ params, caller, locale }) => {
    await deleteCoverage(context.db, caller, params.ticket_number);
    return { message: m.server_results_deleted({}, { locale }) };
  });
  route(app, contract.downloadCoverage, ({ query, caller, locale, reply }) =>
    sendFile(reply, contentTypes[query.format], (gone) =>
      exportCoverage(context, caller, query, locale, gone),
    ),
  );
}
