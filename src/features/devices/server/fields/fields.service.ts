import { isDeepStrictEqual } from 'node:util';
import { record } from '#features/audit/server/audit.service.ts';
import {
  companyNotFound,
  lockExistingCompany,
  requireCompanyInScope,
} from '#features/clients/server/clients.service.ts';
import type { Db } from '#server/db/db.ts';
import type { Caller } from '#server/http/caller.ts';
import { AppError } from '#server/http/errors/errors.ts';
import type { Context } from '#server/runtime/context.ts';
import { m } from '#shared/texts/messages.js';
import type { OwnField } from '../../fields.contract.ts';
import { inRegister } from '../in-register.ts';
import { deleteValues } from './field-values.queries.ts';
import {
  deleteOtherFields,
  deleteRemovedFields,
  findRemovedFields,
  hasRemovedFields,
  hasValuesOf,
  insertRemovedFields,
  listFields,
  noteChangedFields,
  storeFields,
} from './fields.queries.ts';

export { nameFields, requireKeys, requireKnownFilter } from './require-keys.ts';

/** Serials per transaction of a deletion: about 0.1 s each. */
const forgottenAtOnce = 5000;

/** @throws AppError 404 for an unknown company, or outside the caller's scope */
export async function getFields(
  db: Db,
  caller: Caller,
  companyCode: string,
): Promise<{ fields: OwnField[] }> {
  requireCompanyInScope(caller, companyCode);
  if (!(await lockExistingCompany(db, companyCode))) throw companyNotFound();
  return { fields: await listFields.all(db, { companyCode }) };
}

/**
 * Replaces the own columns of a company. One that is added comes without values, also after it was removed.
 * @param base the columns that the caller read before; undefined replaces any
 * @param forgets whether the values of columns that are left out are deleted
 * @throws AppError 404 as `getFields`; 409 for a column that is left out and has values, unless `forgets`, and for other
 *   columns than `base`
 */
export async function putFields(
  { db, log }: Pick<Context, 'db' | 'log'>,
  caller: Caller,
  companyCode: string,
  { fields, known: base, forgets }: { fields: OwnField[]; known?: OwnField[] | undefined; forgets: boolean },
): Promise<{ fields: OwnField[] }> {
  requireCompanyInScope(caller, companyCode);
  const keys = fields.map(({ key }) => key);
  if ((await hasRemovedFields.one(db, { companyCode, keys })).found)
    await deleteRemovedValues(db, companyCode);
  await inRegister(db, caller, async (tx) => {
    if (!(await lockExistingCompany(tx, companyCode))) throw companyNotFound();
    const before = await listFields.all(tx, { companyCode });
    if (base !== undefined && !isDeepStrictEqual(before, base)) throw fieldsChanged();
    // Removed a moment ago by another call.
    if ((await hasRemovedFields.one(tx, { companyCode, keys })).found) throw fieldsChanged();
    const removedKeys = before.map(({ key }) => key).filter((key) => !keys.includes(key));
    if (removedKeys.length > 0) {
      if (forgets) await insertRemovedFields.run(tx, { companyCode, keys: removedKeys });
      else if ((await hasValuesOf.one(tx, { companyCode, keys: removedKeys })).found) throw hasValues();
      await deleteOtherFields.run(tx, { companyCode, keys });
    }
    await storeFields.run(tx, { companyCode, keys, names: fields.map(({ name }) => name) });
    await noteChangedFields.run(tx, { companyCode });
    await record(tx, {
      action: 'fields.update',
      objectId: companyCode,
      companyCode,
      before: { own_fields: listNames(before) },
      after: {
        own_fields: listNames(fields),
        ...(forgets &&
          removedKeys.length > 0 && {
            forgotten: listNames(before.filter(({ key }) => removedKeys.includes(key))),
          }),
      },
    });
  });
  // The columns are stored. Values that stay here are not shown, and are deleted within the hour.
  await deleteRemovedValues(db, companyCode).catch((err: unknown) =>
    log.warn(
      { err, companyCode },
      'values of removed own columns could not be deleted yet and will be tried again',
    ),
  );
  return { fields };
}

/**
 * Deletes the values of the removed columns of a company (null: of any) in small transactions.
 * @param signal when it aborts, the rest is left for later
 */
export async function deleteRemovedValues(
  db: Db,
  companyCode: string | null,
  signal?: AbortSignal,
): Promise<void> {
  const deleteSome = () =>
    inRegister(db, null, async (tx) => {
      const removed = await findRemovedFields.first(tx, { companyCode });
      if (!removed) return false;
      const values = { companyCode: removed.company_code, keys: removed.keys };
      const { count } = await deleteValues.one(tx, { ...values, limit: forgottenAtOnce });
      if (count > 0) return true;
      await deleteRemovedFields.run(tx, values);
      // Views may still filter by them.
      await noteChangedFields.run(tx, values);
      return true;
    });
  while (!signal?.aborted && (await deleteSome()));
}

const listNames = (fields: OwnField[]) => fields.map(({ name }) => name).join(', ');

function fieldsChanged(): AppError {
  return new AppError(409, 'fields_changed', m.server_fields_changed_since);
}

function hasValues(): AppError {
  return new AppError(409, 'field_has_values', m.server_fields_have_values);
}
