import { longestObjectId } from '#features/audit/object-id.shared.ts';
import { record } from '#features/audit/server/audit.service.ts';
import { Semaphore } from '#server/concurrency/semaphore.ts';
import { type Db, inTransaction, type Queryable } from '#server/db/db.ts';
import { type Caller, scopeOf } from '#server/http/caller.ts';
import { AppError } from '#server/http/errors/errors.ts';
import type { Context } from '#server/runtime/context.ts';
import { dayIn } from '#shared/calendar-day.ts';
import { describePage } from '#shared/describe-page.ts';
import type { Paging } from '#shared/paging.ts';
import { m } from '#shared/texts/messages.js';
import type { DeviceQuestion } from '../devices.contract.ts';
import { describeDevice } from './describe-device.ts';
import {
  type AskedDevices,
  countAllDevices,
  countDevices,
  deleteDevices,
  deleteDevicesOf,
  deleteUncheckedDevices,
  findDevice,
  listDeviceAnswers,
  listDeviceIds,
  listDevicePage,
  lockRegister,
} from './devices.queries.ts';
import { listChanges } from './list-changes.ts';

export { listDevicesById } from './devices.queries.ts';
export { layOutDevices } from './export/device-columns.ts';
export { compareAnswers, type DeviceAnswer } from './list-changes.ts';
export {
  registerCompany,
  registerSome,
  registerTicket,
  startRegistration,
} from './registration/register-devices.ts';

/** Devices per transaction of a deletion: about 0.1 s each. */
const deletedAtOnce = 5000;
/** Callers that delete many devices take turns after each transaction, so that other work finds the database free. */
const turns = new Semaphore(1);
const never = new AbortController().signal;

type Settings = Pick<Context, 'config' | 'now'>;

/** Adds the caller's scope and the current day to the filters of a list. */
export function askAs(caller: Caller, { config, now }: Settings, asked: DeviceQuestion): AskedDevices {
  const timeZone = config.APP_TIMEZONE;
  return { ...asked, scope: scopeOf(caller), today: dayIn(timeZone, now()), timeZone };
}

/** Lists one page of devices, with the counts of all when `counts` is 1. */
export async function listDevices(
  context: Settings & Pick<Context, 'db'>,
  caller: Caller,
  { page, limit, counts, ...question }: DeviceQuestion & Paging & { counts: '0' | '1' },
) {
  const { db } = context;
  const asked = askAs(caller, context, question);
  const [rows, total, counted] = await Promise.all([
    listDevicePage(db, asked, question, limit, (page - 1) * limit),
    countDevices(db, asked),
    counts === '1' ? countAllDevices(db, asked) : undefined,
  ]);
  return {
    data: rows.map((row) => describeDevice(row, asked.today)),
    pagination: describePage(page, limit, total),
    ...(counted && { counts: counted }),
  };
}

/** @throws AppError 404 outside the caller's scope */
export async function getDevice(context: Settings & Pick<Context, 'db'>, caller: Caller, id: number) {
  const { db, config, now } = context;
  const row = await findDevice(db, id, scopeOf(caller));
  if (!row) throw deviceNotFound();
  return {
    device: describeDevice(row, dayIn(config.APP_TIMEZONE, now())),
    history: listChanges(await listDeviceAnswers(db, row.id)),
    tickets: row.tickets.map(String),
  };
}

/** @throws AppError 404 outside the caller's scope */
export function forgetDevice(db: Db, caller: Caller, id: number): Promise<void> {
  return inRegister(db, async (tx) => {
    const row = await findDevice(tx, id, scopeOf(caller));
    // Another call may have deleted it since.
    if (!row || (await deleteDevices(tx, [row.id])) === 0) throw deviceNotFound();
    const { serial, company_code: companyCode } = row;
    await record(tx, { action: 'devices.forget', objectId: row.id, companyCode, before: { serial } });
  });
}

/**
 * Deletes the devices that pass a filter, in small transactions. The first one has the entry of all.
 * @param context `reads`: the connections for finding them, which examines every device of the company
 * @param filter a query string of the list, and the `question` that it asks
 * @throws AppError 409 if the filter matches another number of devices than `count`
 */
export async function forgetDevices(
  context: Settings & Pick<Context, 'db'> & { reads: Db },
  caller: Caller,
  { filter, question, count }: { filter: string; question: DeviceQuestion; count: number },
): Promise<void> {
  const { db, reads } = context;
  const ids = await listDeviceIds(reads, askAs(caller, context, question));
  if (ids.length !== count) throw otherCount(ids.length);
  const first = ids.slice(0, deletedAtOnce);
  await inTurn(() =>
    inRegister(db, async (tx) => {
      const missing = first.length - (await deleteDevices(tx, first));
      // Another call has deleted them since they were listed.
      if (missing > 0) throw otherCount(count - missing);
      await record(tx, {
        action: 'devices.forget',
        companyCode: scopeOf(caller) ?? question.company_code ?? null,
        ...describeFilter(filter, count),
      });
    }),
  );
  for (let from = deletedAtOnce; from < ids.length; from += deletedAtOnce) {
    await inTurn(() => inRegister(db, (tx) => deleteDevices(tx, ids.slice(from, from + deletedAtOnce))));
  }
}

async function inTurn(work: () => Promise<unknown>): Promise<void> {
  const giveBack = await turns.take(never);
  await work().finally(giveBack);
}

/** Runs a transaction that deletes devices. */
function inRegister<T>(db: Db, work: (tx: Queryable) => Promise<T>): Promise<T> {
  return inTransaction(db, async (tx) => {
    await lockRegister(tx);
    return work(tx);
  });
}

function otherCount(count: number): AppError {
  return new AppError(409, 'other_count', (locale) => m.server_devices_other_count({ count }, { locale }));
}

/** Names the forgotten devices by their filter. One that is too long for a name is a value of the entry. */
function describeFilter(filter: string, count: number) {
  if (filter.length > longestObjectId) return { after: { count, query: filter } };
  return { objectId: filter || 'all', after: { count } };
}

/** Deletes the devices that only this ticket had, in small transactions. */
export async function forgetDevicesOf(db: Db, companyCode: string, ticketNumber: number): Promise<void> {
  const forgetSome = () =>
    inRegister(db, (tx) => deleteDevicesOf(tx, companyCode, ticketNumber, deletedAtOnce));
  while ((await forgetSome()) === deletedAtOnce);
}

/** Deletes the devices that were not checked for so many days, in small transactions. */
export async function forgetUncheckedDevices(db: Db, days: number): Promise<void> {
  const forgetSome = () => inRegister(db, (tx) => deleteUncheckedDevices(tx, days, deletedAtOnce));
  while ((await forgetSome()) === deletedAtOnce);
}

function deviceNotFound(): AppError {
  return new AppError(404, 'device_not_found', (locale) => m.server_not_found({}, { locale }));
}
