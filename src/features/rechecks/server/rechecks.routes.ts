import type { FastifyInstance } from 'fastify';
import type { ImportThreads } from '#features/imports/server/own-imports/own-imports.service.ts';
import { Loop } from '#server/concurrency/loop.ts';
import { sendFile } from '#server/http/files/send-file.ts';
import { route } from '#server/http/route.ts';
import type { Context } from '#server/runtime/context.ts';
import * as contract from '../rechecks.contract.ts';
import { downloadRecheckChanges, listRecheckChanges } from './changes/changes.service.ts';
import { queueReports } from './changes/queue-reports.ts';
import { getRecheck, putRecheck, runRecheck } from './rechecks.service.ts';
import { beginDueRuns, makeDueTickets } from './runs/due-runs.ts';

const roundMs = 60_000;

/**
 * Serves the checking again of devices, runs its schedules, and reports what changed. Every API process does so; the database gives each run to
 * one.
 */
export function registerRechecks(app: FastifyInstance, context: Context, threads: ImportThreads): void {
  const { log } = context;
  const stopping = new AbortController();
  const round = async () => {
    await beginDueRuns(context);
    await makeDueTickets(context, threads, stopping.signal);
  };
  const onFailure = (err: unknown) => log.warn({ err }, 'checking again failed and will be tried again');
  const loops = [round, () => queueReports(context)].map(
    (work) => new Loop(work, { pauseMs: () => roundMs, onFailure }),
  );
  app.addHook('onReady', async () => {
    for (const loop of loops) loop.wake();
  });
  // Before the threads of imports are awaited: hooks run in reverse order.
  app.addHook('onClose', async () => {
    stopping.abort();
    await Promise.all(loops.map((loop) => loop.stop()));
  });

  route(app, contract.getRecheck, ({ params, caller, db: reads }) =>
    getRecheck({ ...context, reads }, caller, params.company_code),
  );
  route(app, contract.putRecheck, ({ params, body, caller, db: reads }) =>
    putRecheck({ ...context, reads }, caller, params.company_code, body),
  );
  route(app, contract.runRecheck, ({ params, caller, locale, db: reads }) =>
    runRecheck({ ...context, reads }, threads, { caller, locale }, params.company_code),
  );
  route(app, contract.listRecheckChanges, ({ params, query, caller, db: reads }) =>
    listRecheckChanges({ ...context, reads }, caller, params.company_code, query),
  );
  route(app, contract.downloadRecheckChanges, ({ params, query, caller, locale, reply }) =>
    sendFile(reply, query.format, (gone) =>
      downloadRecheckChanges(context, caller, params.company_code, query, locale, gone),
    ),
  );
}
