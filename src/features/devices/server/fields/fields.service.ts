import { isDeepStrictEqual } from 'node:util';
import { record } from '#features/audit/server/audit.service.ts';
import {
  companyNotFound,
  lockKnownCompany,
  requireCompanyInScope,
} from '#features/clients/server/clients.service.ts';
import type { Db } from '#server/db/db.ts';
import type { Caller } from '#server/http/caller.ts';
import { changeAs } from '#server/http/caller-rights.ts';
import { AppError } from '#server/http/errors/errors.ts';
import { m } from '#shared/texts/messages.js';
import type { OwnField } from '../../fields.contract.ts';
import { lockRegister } from '../forgetting/forgetting.queries.ts';
import { inRegister } from '../in-register.ts';
import { forgetValues } from './field-values.queries.ts';
import { forgottenAtOnce } from './field-values.service.ts';
import {
  deleteFields,
  hasValuesOf,
  insertFields,
  listFields,
  lockFields,
  noteChangedFields,
} from './fields.queries.ts';

export { requireKeys, requireKnownFilter } from './require-keys.ts';

/** @throws AppError 404 for an unknown company, or outside the caller's scope */
export async function getFields(
  db: Db,
  caller: Caller,
  companyCode: string,
): Promise<{ fields: OwnField[] }> {
  requireCompanyInScope(caller, companyCode);
  if (!(await lockKnownCompany(db, companyCode))) throw companyNotFound();
  return { fields: await listFields.all(db, { companyCode }) };
}

/**
 * Replaces the own columns of a company.
 * @param known the columns that the caller read before; undefined replaces any
 * @param forgets whether the values of columns that are left out are deleted
 * @throws AppError 404 as `getFields`; 409 for a column that is left out and has values, unless `forgets`, and for other
 *   columns than `known`
 */
export async function putFields(
  db: Db,
  caller: Caller,
  companyCode: string,
  { fields, known, forgets }: { fields: OwnField[]; known?: OwnField[] | undefined; forgets: boolean },
): Promise<{ fields: OwnField[] }> {
  const { fields: present } = await getFields(db, caller, companyCode);
  requireUnchanged(present, known);
  if (forgets) await forgetLeftOut(db, caller, companyCode, findLeftOut(present, fields));
  return changeAs(db, caller, async (tx) => {
    if (!(await lockKnownCompany(tx, companyCode))) throw companyNotFound();
    await lockFields.run(tx, { companyCode });
    // No import stores values in between.
    await lockRegister.run(tx);
    const before = await listFields.all(tx, { companyCode });
    requireUnchanged(before, known);
    const leftOut = findLeftOut(before, fields);
    const left = { companyCode, keys: leftOut };
    if (!forgets && leftOut.length > 0 && (await hasValuesOf.one(tx, left)).found) throw hasValues();
    await forgetValues.one(tx, { ...left, limit: forgottenAtOnce });
    await deleteFields.run(tx, { companyCode });
    await insertFields.run(tx, {
      companyCode,
      keys: fields.map(({ key }) => key),
      names: fields.map(({ name }) => name),
    });
    await noteChangedFields.run(tx, { companyCode });
    await record(tx, {
      action: 'fields.update',
      objectId: companyCode,
      companyCode,
      before: { own_fields: summarise(before) },
      after: {
        own_fields: summarise(fields),
        ...(forgets && leftOut.length > 0 && { forgotten: leftOut.join(', ') }),
      },
    });
    return { fields };
  });
}

/** Deletes the values of columns in small transactions. */
async function forgetLeftOut(db: Db, caller: Caller, companyCode: string, keys: string[]): Promise<void> {
  if (keys.length === 0) return;
  const forgetSome = () =>
    inRegister(db, caller, (tx) => forgetValues.one(tx, { companyCode, keys, limit: forgottenAtOnce }));
  while ((await forgetSome()).count > 0);
}

const findLeftOut = (before: OwnField[], after: OwnField[]) =>
  before.map(({ key }) => key).filter((key) => !after.some((field) => field.key === key));

const summarise = (fields: OwnField[]) => fields.map(({ key, name }) => `${key}: ${name}`).join(', ');

function requireUnchanged(present: OwnField[], known: OwnField[] | undefined): void {
  if (known !== undefined && !isDeepStrictEqual(present, known))
    throw new AppError(409, 'fields_changed', m.server_fields_changed_since);
}

function hasValues(): AppError {
  return new AppError(409, 'field_has_values', m.server_fields_have_values);
}
