import type { FastifyInstance } from 'fastify';
import { closingOf } from '#server/closing.ts';
import type { Context } from '#server/context.ts';
import { route } from '#server/route.ts';
import { m } from '#shared/texts/messages.js';
import * as contract from '../results.contract.ts';
import { exportCoverage } from './export/export.service.ts';
import { deleteCoverage, listCoverage } from './results.service.ts';
import { RowSearches } from './search-rows.ts';

const contentTypes = {
  excel: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  json: 'application/json; charset=utf-8',
};

/** Serves the rows of a ticket: to read, to download and to delete. */
export function registerResults(app: FastifyInstance, context: Context): void {
  const searches = new RowSearches();
  route(app, contract.listCoverage, ({ query, caller }) => listCoverage(context, searches, caller, query));
  route(app, contract.deleteCoverage, async ({ params, caller, locale }) => {
    await deleteCoverage(context.db, caller, params.ticket_number);
    return { message: m.server_results_deleted({}, { locale }) };
  });
  route(app, contract.downloadCoverage, async ({ query, caller, locale, reply }) => {
    const closing = closingOf(reply);
    const opened = await exportCoverage(context, caller, query, locale, closing).catch((error: Error) => {
      if (!closing.aborted) throw error;
    });
    // Whoever asked has gone.
    if (!opened) return reply.hijack();
    return reply
      .type(contentTypes[query.format])
      .header('content-disposition', `attachment; filename="${opened.fileName}"`)
      .header('cache-control', 'no-store')
      .send(opened.stream);
  });
}
