import type { FastifyInstance } from 'fastify';
import { lookForChangesIn, whileUnchanged } from '#features/tickets/server/unchanged.service.ts';
import type { Context } from '#server/context.ts';
import { route } from '#server/route.ts';
import { excelType, sendFile } from '#server/send-file.ts';
import { dayIn } from '#shared/calendar-day.ts';
import { m } from '#shared/texts/messages.js';
import * as contract from '../results.contract.ts';
import { compareTickets, SerialOverlaps } from './compare-tickets.service.ts';
import { exportCoverage } from './export/export.service.ts';
import { isInSheetOrder } from './narrowing.ts';
import { deleteCoverage, readCoverage } from './results.service.ts';
import { RowSearches } from './search-rows.ts';

const contentTypes = { excel: excelType, json: 'application/json; charset=utf-8' };

/** Serves the rows of a ticket: to read, to download and to delete. */
export function registerResults(app: FastifyInstance, context: Context): void {
  const searches = new RowSearches(context.log);
  const sources = { context, searches, look: lookForChangesIn(context.db) };
  route(
    app,
    contract.listCoverage,
    whileUnchanged(({ query, caller }, since, share) => readCoverage(sources, caller, query, since, share), {
      // How long coverage lasts is counted from today.
      beside: () => dayIn(context.config.APP_TIMEZONE, context.now()),
      // What narrows, sorts or counts asks an index in memory, which may be a little older than the database.
      moves: ({ ticket }, { query }) => {
        const isPlain = (query.status ?? 'all') === 'all' && isInSheetOrder(query);
        return !isPlain || query.counts === '1' || ticket?.serial_deleted === true;
      },
    }),
  );
  const overlaps = new SerialOverlaps();
  route(app, contract.compareTickets, ({ query, caller }) =>
    compareTickets(context, { searches, overlaps }, caller, query.tickets),
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
