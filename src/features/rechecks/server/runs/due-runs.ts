import type { ImportThreads } from '#features/imports/server/own-imports/own-imports.service.ts';
import { lastDueDay } from '#features/watch/server/watch.service.ts';
import { doDueWork } from '#server/db/do-due-work.ts';
import { AppError } from '#server/http/errors/errors.ts';
import type { Context } from '#server/runtime/context.ts';
import { retryPause } from '#server/runtime/retry-pause.ts';
import { nextRecheckDay } from '../recheck-days.ts';
import { findRecheck, lockDueRecheck, updateRecheck } from '../rechecks.queries.ts';
import { createTicket, listSerials, TooManyDevices } from './create-ticket.ts';
import {
  type DueRun,
  deleteWaitingRuns,
  insertRun,
  postponeRun,
  refuseRun,
  takeDueRun,
} from './runs.queries.ts';

/**
 * Begins a run of every schedule that is due. A run is one transaction with the next day of its schedule, so that of
 * several processes one begins it. A schedule that was missed several times begins one run, in place of one that still
 * waits to make its ticket.
 */
export async function beginDueRuns(
  context: Pick<Context, 'db' | 'log' | 'config' | 'now'>,
  signal?: AbortSignal,
): Promise<void> {
  const { config, now } = context;
  await doDueWork(context, {
    kind: 'recheck',
    signal,
    lockNext: (tx) => lockDueRecheck.first(tx, { day: lastDueDay(config.APP_TIMEZONE, now()) }),
    subjectOf: (row) => row.company_code,
    async work(tx, row) {
      const due = lastDueDay(config.APP_TIMEZONE, now());
      await updateRecheck.run(tx, { ...row, next_on: nextRecheckDay(row.cadence, due) });
      await deleteWaitingRuns.run(tx, { companyCode: row.company_code });
      await insertRun.run(tx, { companyCode: row.company_code, dueOn: row.next_on, now: now() });
    },
  });
}

/**
 * Makes the tickets of the runs that have begun. A run without one is tried again, or ends with its reason.
 * @param signal when it aborts, the remaining runs are left for later
 */
export async function createDueTickets(
  context: Context,
  threads: ImportThreads,
  signal?: AbortSignal,
): Promise<void> {
  const { db, log } = context;
  while (!signal?.aborted) {
    const run = await takeDueRun(db);
    if (!run) return;
    try {
      await createDueTicket(context, threads, run);
    } catch (err) {
      const { id, company_code: company, attempts } = run;
      if (isFinal(err)) {
        await refuseRun.run(db, {
          id,
          code: err.code,
          count: err instanceof TooManyDevices ? err.count : null,
        });
        continue;
      }
      const pause = retryPause(attempts);
      if (pause === undefined) await refuseRun.run(db, { id, code: 'failed', count: null });
      else await postponeRun.run(db, { id, seconds: pause });
      log.error({ err, company, attempts }, 'the devices of a company could not be checked again');
    }
  }
}

async function createDueTicket(context: Context, threads: ImportThreads, run: DueRun): Promise<void> {
  const { id, company_code: companyCode } = run;
  const row = await findRecheck.first(context.db, { companyCode });
  // The company was deleted, and its runs with it.
  if (!row) return;
  const serials = await listSerials(context, row);
  await createTicket(context, threads, {
    id,
    companyCode,
    serials,
    caller: null,
    idempotencyKey: null,
    locale: 'en',
  });
}

/** Whether a repeat would fail in the same way, as far as the schedule alone is the reason. */
function isFinal(error: unknown): error is AppError {
  return error instanceof AppError && error.status < 429;
}
