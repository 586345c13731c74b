import { longestObjectId } from '#features/audit/object-id.shared.ts';
import { record } from '#features/audit/server/audit.service.ts';
import { Semaphore } from '#server/concurrency/semaphore.ts';
import { isTransientFailure } from '#server/db/connection/connection.ts';
import type { Db, Queryable } from '#server/db/db.ts';
import { type Caller, scopeOf } from '#server/http/caller.ts';
import { changeAs } from '#server/http/caller-rights.ts';
import { AppError, fill } from '#server/http/errors/errors.ts';
import type { Context } from '#server/runtime/context.ts';
import { m } from '#shared/texts/messages.js';
import type { DeviceQuestion } from '../../devices.contract.ts';
import { askAs } from '../ask-as.ts';
import { countDevices, listDeviceKeys } from '../devices.queries.ts';
import { requireKnownFilter } from '../fields/require-keys.ts';
import {
  deleteDevices,
  deleteDevicesOf,
  deleteUncheckedDevices,
  lockRegister,
} from './forgetting.queries.ts';

/** Devices per transaction of a deletion: about 0.1 s each. */
const deletedAtOnce = 5000;
/** Callers that delete many devices take turns after each transaction, so that other work finds the database free. */
const turns = new Semaphore(1);
const never = new AbortController().signal;

/**
 * Deletes the devices that pass a filter in slices, each in a transaction. The first one has the entry of all.
 * @param context `reads`: the connections for finding them, which examines every device of the company
 * @param filter a query string of the list, and the `question` that it asks
 * @throws AppError 409 if the filter matches another number of devices than `count`; 503 with the number of forgotten
 *   devices if the database fails after the first slice
 */
export async function forgetDevices(
  context: Pick<Context, 'config' | 'now' | 'db' | 'log'> & { reads: Db },
  caller: Caller,
  { filter, question, count }: { filter: string; question: DeviceQuestion; count: number },
): Promise<void> {
  const { db, reads, log } = context;
  const asked = askAs(caller, context, question);
  await requireKnownFilter(reads, asked.scope ?? question.company_code ?? null, question);
  const found = await countDevices(reads, asked);
  if (found !== count) throw otherCount(found);
  const slices = listDeviceKeys(reads, asked, deletedAtOnce);
  const { value: first = [] } = await slices.next();
  await inRegisterInTurn(db, caller, async (tx) => {
    const { count: forgotten } = await deleteDevices.one(tx, { ids: idsOf(first) });
    const missing = Math.min(count, deletedAtOnce) - forgotten;
    // Devices were added, or deleted by another call, since they were counted.
    if (missing !== 0) throw otherCount(count - missing);
    await record(tx, {
      action: 'devices.forget',
      companyCode: scopeOf(caller) ?? question.company_code ?? null,
      ...describeFilter(filter, count, {}),
    });
  });
  let forgotten = first.length;
  try {
    for await (const slice of slices) {
      forgotten += await inRegisterInTurn(
        db,
        caller,
        async (tx) => (await deleteDevices.one(tx, { ids: idsOf(slice) })).count,
      );
    }
  } catch (error) {
    if (!(error instanceof Error) || !isTransientFailure(error)) throw error;
    log.warn({ err: error, forgotten, count }, 'only some of the devices of a filter were forgotten');
    throw partlyForgotten(forgotten, count);
  }
}

/** Runs a transaction that changes or deletes devices. @param caller null for the product itself */
export function inRegister<T>(
  db: Db,
  caller: Caller | null,
  work: (tx: Queryable) => Promise<T>,
): Promise<T> {
  return changeAs(db, caller, async (tx) => {
    await lockRegister.run(tx);
    return work(tx);
  });
}

/** Runs a transaction that changes many devices, when no other one of this process does. */
export async function inRegisterInTurn<T>(
  db: Db,
  caller: Caller,
  work: (tx: Queryable) => Promise<T>,
): Promise<T> {
  const giveBack = await turns.take(never);
  return inRegister(db, caller, work).finally(giveBack);
}

function otherCount(count: number): AppError {
  return new AppError(409, 'other_count', fill(m.server_devices_other_count, { count }));
}

function partlyForgotten(forgotten: number, count: number): AppError {
  return new AppError(503, 'partly_forgotten', fill(m.server_devices_partly_forgotten, { forgotten, count }));
}

/** Names devices by their filter, for the audit log. One that is too long for a name is a value of the entry. */
export function describeFilter(filter: string, count: number, more: Record<string, string>) {
  if (filter.length > longestObjectId) return { after: { count, query: filter, ...more } };
  return { objectId: filter || 'all', after: { count, ...more } };
}

const idsOf = (devices: { id: number }[]) => devices.map(({ id }) => id);

/** Deletes the devices that only this ticket had, in small transactions. */
export async function forgetDevicesOf(db: Db, companyCode: string, ticketNumber: number): Promise<void> {
  const forgetSome = () =>
    inRegister(
      db,
      null,
      async (tx) =>
        (await deleteDevicesOf.one(tx, { companyCode, ticketNumber, limit: deletedAtOnce })).count,
    );
  while ((await forgetSome()) === deletedAtOnce);
}

/** Deletes the devices that were not checked for so many days, in small transactions. */
export async function forgetUncheckedDevices(db: Db, days: number): Promise<void> {
  const forgetSome = () =>
    inRegister(
      db,
      null,
      async (tx) => (await deleteUncheckedDevices.one(tx, { days, limit: deletedAtOnce })).count,
    );
  while ((await forgetSome()) === deletedAtOnce);
}
