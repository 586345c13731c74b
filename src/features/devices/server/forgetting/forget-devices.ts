import type { Db } from '#server/db/db.ts';
import type { Caller } from '#server/http/caller.ts';
import { AppError, fill } from '#server/http/errors/errors.ts';
import type { Context } from '#server/runtime/context.ts';
import { m } from '#shared/texts/messages.js';
import type { DeviceQuery } from '../../devices.contract.ts';
import { requireKnownFilter } from '../fields/require-keys.ts';
import { changeFiltered, inRegister } from '../in-register.ts';
import { scopeDeviceQuery } from '../scope-device-query.ts';
import {
  deleteDevices,
  deleteDevicesOf,
  deleteUncheckedDevices,
  listDevicesOf,
} from './forgetting.queries.ts';

/** Devices per transaction of a deletion: about 0.1 s each. */
const deletedAtOnce = 5000;
/** Devices that are looked up at once in all tickets of their company: about 0.4 s with ten thousand tickets. */
const examinedAtOnce = 1000;

/**
 * Deletes the devices that pass a filter.
 * @param filter a query string of the list, and `deviceQuery`, which was read from it
 * @throws AppError 400 for an unknown own column; 409 and 503 as `changeFiltered`
 */
export async function forgetDevices(
  context: Pick<Context, 'config' | 'now' | 'db' | 'log'> & { reads: Db },
  caller: Caller,
  { filter, deviceQuery, count }: { filter: string; deviceQuery: DeviceQuery; count: number },
): Promise<void> {
  const scopedQuery = scopeDeviceQuery(caller, context, deviceQuery);
  const companyCode = scopedQuery.scope ?? deviceQuery.company_code ?? null;
  await requireKnownFilter(context.reads, companyCode, deviceQuery, 'filter');
  await changeFiltered(context, caller, {
    filter,
    scopedQuery,
    count,
    atOnce: deletedAtOnce,
    entry: { action: 'devices.forget', companyCode },
    change: async (tx, slice) => (await deleteDevices.one(tx, { ids: idsOf(slice) })).count,
    otherCount,
    partlyChanged: partlyForgotten,
  });
}

function otherCount(count: number): AppError {
  return new AppError(409, 'other_count', fill(m.server_devices_other_count, { count }));
}

function partlyForgotten(forgotten: number, count: number): AppError {
  return new AppError(503, 'partly_forgotten', fill(m.server_devices_partly_forgotten, { forgotten, count }));
}

const idsOf = (devices: { id: number }[]) => devices.map(({ id }) => id);

/**
 * Deletes the devices that no other ticket of the company has or had an answer for, in small transactions. The devices are
 * found without the lock of the register, for which others wait.
 */
export async function forgetDevicesOf(db: Db, companyCode: string, ticketNumber: number): Promise<void> {
  let afterSerial: string | undefined = '';
  while (afterSerial !== undefined) {
    const page = { companyCode, ticketNumber, afterSerial, limit: examinedAtOnce };
    const slice = await listDevicesOf.all(db, page);
    const ids = idsOf(slice.filter(({ shared }) => !shared));
    if (ids.length > 0)
      await inRegister(db, null, (tx) => deleteDevicesOf.one(tx, { companyCode, ids, ticketNumber }));
    afterSerial = slice.at(-1)?.serial;
  }
}

/** Deletes some devices that were not checked for so many days. @returns whether there may be more */
export async function forgetUncheckedDevices(db: Db, days: number): Promise<boolean> {
  const forgotten = await inRegister(
    db,
    null,
    async (tx) => (await deleteUncheckedDevices.one(tx, { days, limit: deletedAtOnce })).count,
  );
  return forgotten === deletedAtOnce;
}
