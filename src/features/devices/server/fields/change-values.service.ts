import { record } from '#features/audit/server/audit.service.ts';
import type { Db, Queryable } from '#server/db/db.ts';
import { type Caller, scopeOf } from '#server/http/caller.ts';
import { AppError, fill, invalidField } from '#server/http/errors/errors.ts';
import type { Context } from '#server/runtime/context.ts';
import { m } from '#shared/texts/messages.js';
import type { DeviceQuery } from '../../devices.contract.ts';
import type { FieldChanges } from '../../fields.contract.ts';
import { toValue } from '../../fields.shared.ts';
import { deviceNotFound } from '../device-not-found.ts';
import { countDevices, findDevice, listDeviceKeys } from '../devices.queries.ts';
import { changeRest, describeFilter, inRegister, inRegisterInTurn } from '../in-register.ts';
import { scopeDeviceQuery } from '../scope-device-query.ts';
import { storeValues } from './field-values.queries.ts';
import { findOnlyCompany } from './find-only-company.ts';
import { nameFields, requireKeys, requireKnownFilter } from './require-keys.ts';

/** Devices per transaction: about 0.2 s each. */
const changedAtOnce = 2000;

/** Returns new values as an import would store them. Empty texts remove a value, as null does. */
const clean = (changes: FieldChanges): FieldChanges =>
  Object.fromEntries(Object.entries(changes).map(([key, value]) => [key, toValue(value ?? '') || null]));

const pathOf = (key: string) => `fields.${key}`;

/**
 * Changes the values of a device's own columns.
 * @throws AppError 400 for an unknown key, 404 outside the caller's scope
 */
export async function changeDeviceFields(
  db: Db,
  caller: Caller,
  id: number,
  changes: FieldChanges,
): Promise<void> {
  const keys = Object.keys(changes);
  await inRegister(db, caller, async (tx) => {
    const row = await findDevice.first(tx, { id, scope: scopeOf(caller) });
    if (!row) throw deviceNotFound();
    const { serial, company_code: companyCode } = row;
    await requireKeys(tx, companyCode, keys, pathOf);
    const rows = [{ serial, fields: clean(changes) }];
    await storeValues.run(tx, { companyCode, at: null, ticketNumber: null, userId: caller.id, rows });
    // Values may be about people, whose devices can be forgotten; the audit log stays.
    await record(tx, {
      action: 'devices.update',
      objectId: row.id,
      companyCode,
      after: { serial, own_fields: await nameFields(tx, companyCode, keys) },
    });
  });
}

/**
 * Changes the values of own columns of the devices that pass a filter, in slices, each in a transaction. The first one has
 * the entry of all.
 * @param filter a query string of the list, and `deviceQuery`, which was read from it
 * @throws AppError 400 for an unknown key, and for a superadmin's filter of several companies; 409 if the filter matches
 *   another number of devices than `count`; 503 with the number of changed devices if the database fails after the first slice
 */
export async function changeFieldsOf(
  context: Pick<Context, 'config' | 'now' | 'db' | 'log'> & { reads: Db },
  caller: Caller,
  {
    filter,
    deviceQuery,
    count,
    fields,
  }: {
    filter: string;
    deviceQuery: DeviceQuery;
    count: number;
    fields: FieldChanges;
  },
): Promise<void> {
  const { db, reads } = context;
  const companyCode =
    scopeOf(caller) ?? deviceQuery.company_code ?? (await findOnlyCompany(reads, deviceQuery));
  if (companyCode === null) throw invalidField('filter', m.server_fields_one_company);
  const keys = Object.keys(fields);
  await requireKeys(db, companyCode, keys, pathOf);
  await requireKnownFilter(db, companyCode, deviceQuery, 'filter');
  const scopedQuery = scopeDeviceQuery(caller, context, {
    ...deviceQuery,
    company_code: deviceQuery.company_code ?? companyCode,
  });
  const matchCount = await countDevices(reads, scopedQuery);
  if (matchCount !== count) throw otherCount(matchCount);
  const changes = clean(fields);
  const slices = listDeviceKeys(reads, scopedQuery, changedAtOnce);
  const { value: first = [] } = await slices.next();
  // Devices were added, or deleted by another call, since they were counted.
  const missingCount = Math.min(count, changedAtOnce) - first.length;
  if (missingCount !== 0) throw otherCount(count - missingCount);
  const entry = {
    action: 'devices.update',
    companyCode,
    ...describeFilter(filter, count, { own_fields: await nameFields(db, companyCode, keys) }),
  } as const;
  const change = async (tx: Queryable, slice: { serial: string }[]) => {
    await storeValues.run(tx, {
      companyCode,
      at: null,
      ticketNumber: null,
      userId: caller.id,
      rows: slice.map(({ serial }) => ({ serial, fields: changes })),
    });
    return slice.length;
  };
  await inRegisterInTurn(db, caller, async (tx) => {
    await change(tx, first);
    await record(tx, entry);
  });
  const partialError = (changed: number) => partlyChanged(changed, count);
  await changeRest(context, caller, {
    slices,
    change,
    changedBefore: first.length,
    entry,
    partialError,
  });
}

function otherCount(count: number): AppError {
  return new AppError(409, 'other_count', fill(m.server_fields_other_count, { count }));
}

function partlyChanged(changed: number, count: number): AppError {
  return new AppError(503, 'partly_changed', fill(m.server_fields_partly_changed, { changed, count }));
}
