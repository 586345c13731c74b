import type { FastifyInstance } from 'fastify';
import type { ImportThreads } from '#features/imports/server/own-imports/own-imports.service.ts';
import { sendFile } from '#server/http/files/send-file.ts';
import { readKey } from '#server/http/idempotent-change.ts';
import { route } from '#server/http/route.ts';
import type { Context } from '#server/runtime/context.ts';
import { repeatWork } from '#server/runtime/repeat-work.ts';
import * as contract from '../rechecks.contract.ts';
import { downloadRecheckChanges, listRecheckChanges } from './changes/changes.service.ts';
import { queueReports } from './changes/queue-reports.ts';
import { getRecheck, putRecheck, runRecheck } from './rechecks.service.ts';
import { beginDueRuns, createDueTickets } from './runs/due-runs.ts';

const roundMs = 60_000;

/**
 * Serves the checking again of devices, runs its schedules, and reports what changed. Every API process does so; the database gives each run to
 * one.
 */
export function registerRechecks(app: FastifyInstance, context: Context, threads: ImportThreads): void {
  // They end before the threads of imports are awaited: hooks run in reverse order.
  const rounds = { everyMs: roundMs, failure: 'checking again failed and will be tried again' };
  repeatWork(app, context.log, rounds, async (signal) => {
    await beginDueRuns(context, signal);
    await createDueTickets(context, threads, signal);
  });
  repeatWork(app, context.log, rounds, (signal) => queueReports(context, signal));

  route(app, contract, 'getRecheck', ({ params, caller, db: reads }) =>
    getRecheck({ ...context, reads }, caller, params.company_code),
  );
  route(app, contract, 'putRecheck', ({ params, body, caller, db: reads }) =>
    putRecheck({ ...context, reads }, caller, params.company_code, body),
  );
  route(app, contract, 'runRecheck', ({ params, body, request, caller, locale, db: reads }) => {
    const idempotencyKey = readKey(request);
    return runRecheck(
      { ...context, reads },
      threads,
      { caller, locale, idempotencyKey },
      params.company_code,
      body?.count,
    );
  });
  route(app, contract, 'listRecheckChanges', ({ params, query, caller, db: reads }) =>
    listRecheckChanges({ ...context, reads }, caller, params.company_code, query),
  );
  route(app, contract, 'downloadRecheckChanges', ({ params, query, caller, locale, reply }) =>
    sendFile(reply, query.format, (signal) =>
      downloadRecheckChanges(context, caller, params.company_code, query, locale, signal),
    ),
  );
}
