import { createHash } from 'node:crypto';
import { foldHead } from '#features/devices/fields.shared.ts';
import { listFields } from '#features/devices/server/devices.service.ts';
import { requireKeys } from '#features/devices/server/fields/fields.service.ts';
import type { Queryable } from '#server/db/db.ts';
import type { Heads, ReadHeads } from '../reading/choose-column.ts';
import { findChoice, storeChoice } from './choices.queries.ts';
import { findProductColumns } from './product-columns.ts';
import { type Mapping, unusableMapping } from './read-fields.ts';

/** Own columns by the column of a sheet, and the heads by which they were found. */
export type MappingWithHeads = { mapping: Mapping; heads: Heads['heads'] };

/**
 * Finds the own columns that the columns of a sheet fill: the requested ones; if none are requested, those with equal names,
 * apart from the product's own answers, and for other columns those that the last sheet with the same heads filled.
 * @param readHeads is not called if the company has no own columns and none are requested
 * @throws AppError 400 for an unknown key or column of a requested mapping; the error of `readHeads`
 */
export async function findMapping(
  db: Queryable,
  companyCode: string,
  requestedMapping: Mapping | null,
  readHeads: ReadHeads,
): Promise<MappingWithHeads> {
  if (requestedMapping) {
    const { heads, letters } = await readHeads(Object.keys(requestedMapping));
    await requireKeys(db, companyCode, Object.values(requestedMapping), () => 'fields');
    if (!Object.keys(requestedMapping).every((letter) => letters.has(letter))) throw unusableMapping();
    return { mapping: requestedMapping, heads };
  }
  const fields = await listFields.all(db, { companyCode });
  if (fields.length === 0) return { mapping: {}, heads: {} };
  const { heads } = await readHeads([]);
  if (Object.keys(heads).length === 0) return { mapping: {}, heads };
  const rememberedFields =
    (await findChoice.first(db, { companyCode, heads: hashHeads(heads) }))?.fields ?? {};
  const { letters } = await readHeads(Object.keys(rememberedFields));
  const ofProduct = findProductColumns(heads);
  const freeLetters = Object.keys(heads).filter((letter) => !ofProduct.has(letter));
  const mapping: Mapping = {};
  for (const { key, name } of fields) {
    const letter = freeLetters.find(
      (one) => foldHead(heads[one] ?? '') === foldHead(name) && !(one in mapping),
    );
    if (letter !== undefined) mapping[letter] = key;
  }
  const unnamed = fields.filter(({ key }) => !Object.values(mapping).includes(key));
  for (const [letter, key] of Object.entries(rememberedFields)) {
    const isFree = letters.has(letter) && !(letter in mapping);
    if (isFree && unnamed.some((field) => field.key === key)) mapping[letter] = key;
  }
  return { mapping, heads };
}

/** Remembers a mapping for sheets with the same heads, in case own columns are renamed. One without heads is not remembered. */
export async function rememberMapping(
  tx: Queryable,
  companyCode: string,
  mapping: Mapping,
  heads: Heads['heads'],
): Promise<void> {
  if (Object.keys(heads).length === 0) return;
  await storeChoice.run(tx, { companyCode, heads: hashHeads(heads), fields: mapping });
}

function hashHeads(heads: Heads['heads']): Buffer {
  const folded = Object.entries(heads).map(([letter, head]) => [letter, foldHead(head)]);
  return createHash('sha256').update(JSON.stringify(folded)).digest();
}
