import { lockKnownCompany } from '#features/clients/server/clients.service.ts';
import { type Db, inTransaction, type Queryable } from '#server/db/db.ts';
import { lockRegister } from '../forgetting/forgetting.queries.ts';
import {
  forgetUnusedValues,
  hasImportedFields,
  type ImportedFields,
  listValues,
  storeValues,
  takeImportedFields,
  type Values,
} from './field-values.queries.ts';

/** Serials per transaction of a deletion: about 0.1 s each. */
export const forgottenAtOnce = 5000;

/**
 * Stores the oldest values of sheets, up to `most` times those of one block of rows.
 * @param companyCode null for those of any company
 * @returns whether more are left
 */
export async function storeImportedFields(
  db: Db,
  most: number,
  companyCode: string | null,
): Promise<boolean> {
  for (let stored = 0; stored < most; stored++) {
    if (!(await hasImportedFields.one(db, { companyCode })).found) return false;
    await inTransaction(db, async (tx) => {
      await lockRegister.run(tx);
      const block = await takeImportedFields.first(tx, { companyCode });
      if (block) await storeBlock(tx, block);
    });
  }
  return (await hasImportedFields.one(db, { companyCode })).found;
}

async function storeBlock(
  tx: Queryable,
  { company_code: companyCode, ticket_number: ticketNumber, rows }: ImportedFields,
): Promise<void> {
  if (await lockKnownCompany(tx, companyCode))
    await storeValues.run(tx, { companyCode, ticketNumber, userId: null, rows });
}

/** Deletes the values of serials that are no longer a device or a row of a ticket, in small transactions. */
export async function forgetUnused(db: Db): Promise<void> {
  const forgetSome = () =>
    inTransaction(db, async (tx) => {
      await lockRegister.run(tx);
      return (await forgetUnusedValues.one(tx, { limit: forgottenAtOnce })).count;
    });
  while ((await forgetSome()) === forgottenAtOnce);
}

/** Adds the values of own columns to the rows of a company. */
export async function withFields<Row extends { serial: string }>(
  db: Queryable,
  companyCode: string,
  rows: Row[],
): Promise<(Row & { fields: Values })[]> {
  if (rows.length === 0) return [];
  const serials = rows.map(({ serial }) => serial);
  const listed = await listValues.all(db, { companyCode, serials });
  const values = new Map(listed.map(({ serial, fields }) => [serial, fields]));
  return rows.map((row) => ({ ...row, fields: values.get(row.serial) ?? {} }));
}

/** Adds the values of own columns to batches of rows of a company. */
export async function* batchesWithFields<Row extends { serial: string }>(
  db: Queryable,
  companyCode: string,
  batches: AsyncIterable<Row[]>,
): AsyncGenerator<(Row & { fields: Values })[]> {
  for await (const rows of batches) yield await withFields(db, companyCode, rows);
}
