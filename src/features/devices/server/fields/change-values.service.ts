import { record } from '#features/audit/server/audit.service.ts';
import type { Db } from '#server/db/db.ts';
import { type Caller, scopeOf } from '#server/http/caller.ts';
import { AppError, fill, invalidField } from '#server/http/errors/errors.ts';
import type { Context } from '#server/runtime/context.ts';
import { m } from '#shared/texts/messages.js';
import type { DeviceQuery } from '../../devices.contract.ts';
import type { FieldChanges } from '../../fields.contract.ts';
import { toValue } from '../../fields.shared.ts';
import { deviceNotFound } from '../device-not-found.ts';
import { findDevice } from '../devices.queries.ts';
import { changeFiltered, inRegister } from '../in-register.ts';
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
 * Changes the values of own columns of the devices that pass a filter.
 * @param filter a query string of the list, and `deviceQuery`, which was read from it
 * @throws AppError 400 for an unknown key, and for a superadmin's filter of several companies; 409 and 503 as `changeFiltered`
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
  const changes = clean(fields);
  const more = { own_fields: await nameFields(db, companyCode, keys) };
  await changeFiltered(context, caller, {
    filter,
    scopedQuery,
    count,
    atOnce: changedAtOnce,
    entry: { action: 'devices.update', companyCode },
    more,
    change: async (tx, slice) => {
      const rows = slice.map(({ serial }) => ({ serial, fields: changes }));
      await storeValues.run(tx, { companyCode, at: null, ticketNumber: null, userId: caller.id, rows });
      return slice.length;
    },
    otherCount,
    partlyChanged,
  });
}

function otherCount(count: number): AppError {
  return new AppError(409, 'other_count', fill(m.server_fields_other_count, { count }));
}

function partlyChanged(changed: number, count: number): AppError {
  return new AppError(503, 'partly_changed', fill(m.server_fields_partly_changed, { changed, count }));
}
