import { record } from '#features/audit/server/audit.service.ts';
import type { CountCache } from '#server/concurrency/count-cache.ts';
import type { Db } from '#server/db/db.ts';
import { type Caller, scopeOf } from '#server/http/caller.ts';
import type { Context } from '#server/runtime/context.ts';
import { dayIn } from '#shared/calendar-day.ts';
import { describePage } from '#shared/describe-page.ts';
import type { Paging } from '#shared/paging.ts';
import type { DeviceQuery } from '../devices.contract.ts';
import { countAllDevices } from './counts/device-counts.queries.ts';
import { describeDevice } from './describe-device.ts';
import { deviceNotFound } from './device-not-found.ts';
import { countDevices, findDevice, listDeviceAnswers, listDevicePage } from './devices.queries.ts';
import { listFieldChanges } from './fields/field-values.queries.ts';
import { requireKnownFilter } from './fields/require-keys.ts';
import { deleteDevices } from './forgetting/forgetting.queries.ts';
import { inRegister } from './in-register.ts';
import { listHistory } from './list-changes.ts';
import { scopeDeviceQuery } from './scope-device-query.ts';

export { activationIs, coverageConditions, listDevicesById } from './devices.queries.ts';
export { layOutDevices } from './export/device-columns.ts';
export { layOutFields } from './fields/field-columns.ts';
export { fieldFilterValues } from './fields/field-filter.ts';
export {
  countByValue,
  fieldFilterParams,
  joinFields,
  passesFieldFilter,
  sortedValue,
  type Values,
} from './fields/field-values.queries.ts';
export { batchesWithFields, storeImportedFields, withFields } from './fields/field-values.service.ts';
export { listFields } from './fields/fields.queries.ts';
export { forgetDevicesOf } from './forgetting/forget-devices.ts';
export { compareAnswers, type DeviceAnswer } from './list-changes.ts';
export {
  registerCompany,
  registerSome,
  registerTicket,
  startRegistration,
} from './registration/register-devices.ts';

/**
 * Lists one page of devices, with the counts of all when `counts` is 1.
 * @throws AppError 400 for an unknown own column
 */
export async function listDevices(
  context: Pick<Context, 'db' | 'config' | 'now'>,
  cache: CountCache,
  caller: Caller,
  { page, limit, counts, ...deviceQuery }: DeviceQuery & Paging & { counts: '0' | '1' },
) {
  const { db } = context;
  const scopedQuery = scopeDeviceQuery(caller, context, deviceQuery);
  await requireKnownFilter(db, scopedQuery.scope ?? deviceQuery.company_code ?? null, deviceQuery);
  const [rows, total, counted] = await Promise.all([
    listDevicePage(db, scopedQuery, deviceQuery, limit, (page - 1) * limit),
    countDevices(db, scopedQuery, cache),
    counts === '1'
      ? countAllDevices.one(db, {
          scope: scopedQuery.scope,
          companyCode: scopedQuery.company_code,
          today: scopedQuery.today,
        })
      : undefined,
  ]);
  return {
    data: rows.map((row) => describeDevice(row, scopedQuery.today)),
    pagination: describePage(page, limit, total),
    ...(counted && { counts: counted }),
  };
}

/** @throws AppError 404 outside the caller's scope */
export async function getDevice(context: Pick<Context, 'db' | 'config' | 'now'>, caller: Caller, id: number) {
  const { db, config, now } = context;
  const scope = scopeOf(caller);
  const row = await findDevice.first(db, { id, scope });
  if (!row) throw deviceNotFound();
  return {
    device: describeDevice(row, dayIn(config.APP_TIMEZONE, now())),
    history: listHistory(
      await listDeviceAnswers.all(db, { id: row.id }),
      await listFieldChanges.all(db, { scope, companyCode: row.company_code, serial: row.serial }),
    ),
    tickets: row.tickets.map(String),
  };
}

/** @throws AppError 404 outside the caller's scope */
export function forgetDevice(db: Db, caller: Caller, id: number): Promise<void> {
  return inRegister(db, caller, async (tx) => {
    const row = await findDevice.first(tx, { id, scope: scopeOf(caller) });
    // Another call may have deleted it since.
    if (!row || (await deleteDevices.one(tx, { ids: [row.id] })).count === 0) throw deviceNotFound();
    const { serial, company_code: companyCode } = row;
    await record(tx, { action: 'devices.forget', objectId: row.id, companyCode, before: { serial } });
  });
}
