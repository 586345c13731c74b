import { lockExistingCompany } from '#features/clients/server/clients.service.ts';
import type { Db, Queryable } from '#server/db/db.ts';
import type { OwnField } from '../../fields.contract.ts';
import { inRegister } from '../in-register.ts';
import {
  type BlockRow,
  type ChangedValues,
  deleteUnusedValues,
  listImportedFields,
  listSerialsWithValues,
  listValues,
  postponeImportedFields,
  type SerialKey,
  storeValues,
  takeImportedFields,
  type Values,
} from './field-values.queries.ts';

export type { BlockRow };

/**
 * Stores the oldest values of sheets, up to `limit` blocks. A block that cannot be stored moves behind all others of its
 * company, and its error is thrown at the end.
 * @param companyCode null for those of all companies, in turn
 * @returns whether more are left
 */
export async function storeImportedFields(
  db: Db,
  limit: number,
  companyCode: string | null,
): Promise<boolean> {
  const blocks = await listImportedFields.all(db, { companyCode, limit: limit + 1 });
  let failure: unknown;
  for (const { id } of blocks.slice(0, limit)) {
    try {
      await inRegister(db, null, (tx) => storeBlock(tx, id));
    } catch (error) {
      await postponeImportedFields.run(db, { id });
      failure ??= error;
    }
  }
  if (failure !== undefined) throw failure;
  return blocks.length > limit;
}

async function storeBlock(tx: Queryable, id: number): Promise<void> {
  const block = await takeImportedFields.first(tx, { id });
  if (!block) return;
  const { company_code: companyCode, at, ticket_number: ticketNumber, keys } = block;
  const rows = block.rows.map((row) => toChange(keys, row));
  if (await lockExistingCompany(tx, companyCode))
    await storeValues.run(tx, { companyCode, at, ticketNumber, userId: null, rows });
}

/** Returns the values that a row of a sheet changes. An empty cell leaves a value as it is. */
function toChange(keys: string[], row: BlockRow | ChangedValues): ChangedValues {
  if (!Array.isArray(row)) return row;
  const [serial, ...values] = row;
  const fields = keys.map((key, nth) => [key, values[nth] ?? null] as const);
  return { serial, fields: Object.fromEntries(fields.filter(([, value]) => value !== null)) };
}

/** Serials that are looked up at once in all tickets of their company: about 0.4 s with ten thousand tickets. */
const examinedAtOnce = 1000;

/**
 * Deletes the values of serials that are no longer a device or a row of a ticket, in small transactions. The serials are found
 * without the lock of the register, for which others wait.
 * @param signal when it aborts, the rest is left for later
 */
export async function deleteUnused(db: Db, signal?: AbortSignal): Promise<void> {
  let last: SerialKey | undefined = { company_code: '', serial: '' };
  while (last && !signal?.aborted) {
    const { company_code: afterCompany, serial: afterSerial }: SerialKey = last;
    const slice = await listSerialsWithValues.all(db, { afterCompany, afterSerial, limit: examinedAtOnce });
    const serials = slice.filter(({ unused }) => unused);
    if (serials.length > 0) await inRegister(db, null, (tx) => deleteUnusedValues.one(tx, { serials }));
    last = slice.at(-1);
  }
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

/**
 * Adds the values of own columns to batches of rows of a company.
 * @param ownFields its own columns; without any, no values are read
 */
export async function* batchesWithFields<Row extends { serial: string }>(
  db: Queryable,
  companyCode: string,
  ownFields: OwnField[],
  batches: AsyncIterable<Row[]>,
): AsyncGenerator<(Row & { fields: Values })[]> {
  for await (const rows of batches) {
    if (ownFields.length > 0) yield await withFields(db, companyCode, rows);
    else yield rows.map((row) => ({ ...row, fields: {} }));
  }
}
