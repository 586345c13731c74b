import { record } from '#features/audit/server/audit.service.ts';
import { companyNotFound, requireCompanyInScope } from '#features/clients/server/clients.service.ts';
import { registerCompany } from '#features/devices/server/devices.service.ts';
import {
  findViewName,
  listChangeableSerials,
  nameCompanyView,
} from '#features/devices/server/views/views.service.ts';
import type { ImportAnswer } from '#features/imports/imports.contract.ts';
import {
  findFirstAnswer,
  type ImportThreads,
  type OwnList,
} from '#features/imports/server/own-imports/own-imports.service.ts';
import { lastDueDay } from '#features/watch/server/watch.service.ts';
import { pollUntil } from '#server/concurrency/poll-until.ts';
import type { Db, Queryable } from '#server/db/db.ts';
import type { Caller } from '#server/http/caller.ts';
import { changeAs } from '#server/http/caller-rights.ts';
import { AppError, fill, invalidField, requireVersion } from '#server/http/errors/errors.ts';
import type { Context } from '#server/runtime/context.ts';
import { formatCount } from '#shared/format-count.ts';
import type { Locale } from '#shared/locale.ts';
import { m } from '#shared/texts/messages.js';
import type { Recheck, RecheckRun, RecheckSettings } from '../rechecks.contract.ts';
import { nextRecheckDay } from './recheck-days.ts';
import {
  findRecheck,
  insertRecheck,
  lockRecheck,
  type RecheckRow,
  updateRecheck,
} from './rechecks.queries.ts';
import { createTicket, listSerials } from './runs/create-ticket.ts';
import {
  deleteWaitingRuns,
  insertRunByHand,
  isRecheckRunning,
  isRunCreatingTicket,
  listRuns,
  postponeRun,
  type RunRow,
} from './runs/runs.queries.ts';

/** A year of a monthly schedule. */
const maxListedRuns = 12;
/** How long a repeat waits for the ticket of a run. */
const maxWaitMs = 60_000;

/**
 * Reads the schedule of a company, and stores its defaults when it is read for the first time.
 * @throws AppError 404 for an unknown company, or outside the caller's scope
 */
export async function getRecheck(
  context: Context & { reads: Db },
  caller: Caller,
  companyCode: string,
): Promise<Recheck> {
  return describeRecheck(context, caller, await requireRecheck(context.db, caller, companyCode));
}

/**
 * Replaces the settings of a schedule. Switching it on, or another cadence, restarts the schedule. Switching it off
 * also deletes its runs that have not made their ticket yet.
 * @throws AppError 404 as `getRecheck`; 400 for another view than before that the caller does not see in the company;
 * 409 when they have changed since the given version
 */
export async function putRecheck(
  context: Context & { reads: Db },
  caller: Caller,
  companyCode: string,
  { version, ...settings }: RecheckSettings,
): Promise<Recheck> {
  const { db, config, now } = context;
  await requireRecheck(db, caller, companyCode);
  const { active, cadence, cap } = settings;
  const viewId = settings.view_id === null ? null : Number(settings.view_id);
  const isVisible = viewId === null || (await findViewName(db, caller, companyCode, viewId)) !== undefined;
  const stored = await changeAs(db, caller, async (tx) => {
    const before = await lockRecheck.first(tx, { companyCode });
    if (!before) throw companyNotFound();
    requireVersion(version, before.version, m.server_settings_changed);
    if (!isVisible && viewId !== before.view_id) {
      throw invalidField('view_id', m.server_view_not_found);
    }
    const due = lastDueDay(config.APP_TIMEZONE, now());
    const nextOn = (cadence === before.cadence && before.next_on) || nextRecheckDay(cadence, due);
    const after = {
      ...before,
      active,
      cadence,
      view_id: viewId,
      cap,
      next_on: active ? nextOn : null,
      version: before.version + 1,
    };
    await updateRecheck.run(tx, after);
    if (!active) await deleteWaitingRuns.run(tx, { companyCode });
    await record(tx, {
      action: 'recheck.update',
      objectId: companyCode,
      companyCode,
      before: await summarise(tx, before),
      after: await summarise(tx, after),
    });
    return after;
  });
  return describeRecheck(context, caller, stored);
}

/**
 * Checks the devices of a schedule again now, also while it is switched off, and if the caller disconnects. A repeat under
 * an Idempotency-Key gets the first answer.
 * @param count the number of devices that the caller has confirmed, if any
 * @throws AppError 404 as `getRecheck`; 409 for too many devices, none, another number than `count`, a view that is gone,
 * or while another run makes its ticket or the latest ticket runs; 403 for an Inactive company;
 * 422 for a key of another request
 */
export async function runRecheck(
  context: Context & { reads: Db },
  threads: ImportThreads,
  { caller, locale, idempotencyKey }: Pick<OwnList, 'idempotencyKey' | 'locale'> & { caller: Caller },
  companyCode: string,
  count?: number,
) {
  const { db } = context;
  const row = await requireRecheck(db, caller, companyCode);
  const findFirst = () => findFirstAnswer(db, caller, idempotencyKey, companyCode, count);
  const first = await findFirst();
  if (first) return describeRunAnswer(first, locale);
  const answerWhileRunning = async () => {
    // The run that is making its ticket may be the first request under the key.
    if (idempotencyKey !== null) await waitForTicket(db, companyCode);
    const answer = await findFirst();
    if (answer) return describeRunAnswer(answer, locale);
    throw new AppError(409, 'recheck_running', m.server_recheck_running);
  };
  if ((await isRecheckRunning.one(db, { companyCode })).found) return answerWhileRunning();
  // Devices of the latest results are checked too.
  await registerCompany(db, companyCode);
  const serials = await listSerials({ ...context, db: context.reads }, row);
  if (count !== undefined && count !== serials.length) {
    throw new AppError(409, 'other_count', fill(m.server_recheck_other_count, { count: serials.length }));
  }
  const id = await beginRun(context, caller, companyCode);
  if (id === undefined) return answerWhileRunning();
  const answer = await createTicket(context, threads, {
    id,
    companyCode,
    serials,
    caller,
    idempotencyKey,
    confirmedCount: count,
    locale,
  }).catch(async (error: unknown) => {
    await postponeRun.run(db, { id, seconds: 0 });
    throw error;
  });
  return describeRunAnswer(answer, locale);
}

function describeRunAnswer({ ticket }: ImportAnswer, locale: Locale) {
  const { ticket_number: number, total: count } = ticket;
  return {
    message: m.server_recheck_made({ number, count, devices: formatCount(count, locale) }, { locale }),
    ticket,
  };
}

/**
 * Stores a run by hand.
 * @returns its id; undefined while another run makes its ticket, or while the latest ticket runs
 */
async function beginRun(
  { db, now }: Pick<Context, 'db' | 'now'>,
  caller: Caller,
  companyCode: string,
): Promise<number | undefined> {
  return changeAs(db, caller, async (tx) => {
    if (!(await lockRecheck.first(tx, { companyCode }))) throw companyNotFound();
    if ((await isRecheckRunning.one(tx, { companyCode })).found) return undefined;
    return (await insertRunByHand.one(tx, { companyCode, now: now() })).id;
  });
}

async function waitForTicket(db: Db, companyCode: string): Promise<void> {
  await pollUntil(async () => !(await isRunCreatingTicket.one(db, { companyCode })).found, maxWaitMs);
}

/**
 * Finds the schedule of a company in the caller's scope, or stores its defaults.
 * @throws AppError 404
 */
export async function requireRecheck(db: Db, caller: Caller, companyCode: string): Promise<RecheckRow> {
  requireCompanyInScope(caller, companyCode);
  const find = () => findRecheck.first(db, { companyCode });
  const schedule = await find();
  if (schedule) return schedule;
  await insertRecheck.run(db, { companyCode });
  const row = await find();
  if (!row) throw companyNotFound();
  return row;
}

async function describeRecheck(
  { db, reads, ...context }: Context & { reads: Db },
  caller: Caller,
  row: RecheckRow,
): Promise<Recheck> {
  const { company_code: companyCode, active, cadence, view_id: viewId, cap, next_on, version } = row;
  const [runs, found, viewName] = await Promise.all([
    listRuns.all(db, { companyCode, most: maxListedRuns }),
    listChangeableSerials({ ...context, db: reads }, companyCode, viewId, 0),
    viewId === null ? null : findViewName(db, caller, companyCode, viewId),
  ]);
  return {
    active,
    cadence,
    view_id: viewId === null ? null : String(viewId),
    view_name: viewName ?? null,
    cap,
    next_on,
    count: found?.count ?? null,
    runs: runs.map(describeRun),
    version,
  };
}

function describeRun({ started_at, refused_count: count, ...run }: RunRow): RecheckRun {
  return { at: started_at.toISOString(), ...run, count };
}

/** The settings for the audit log. Two views may have the same name, so the id is recorded too. */
async function summarise(tx: Queryable, row: RecheckRow) {
  const { company_code: companyCode, active, cadence, view_id: viewId, cap } = row;
  const viewName = viewId === null ? null : await nameCompanyView(tx, companyCode, viewId);
  return { active, cadence, view_id: viewId, view_name: viewName, cap };
}
