import type { Queryable } from '#server/db/db.ts';
import { fill, invalidField } from '#server/http/errors/errors.ts';
import { m } from '#shared/texts/messages.js';
import { sortedField } from '../../fields.shared.ts';
import type { FieldFilter } from './field-filter.ts';
import { listFields, listUnknownKeys } from './fields.queries.ts';

/**
 * Checks that own columns exist.
 * @param companyCode null for those of any company
 * @param pathOf the parameter or field that has a key
 * @throws AppError 400 naming the first unknown key
 */
export async function requireKeys(
  db: Queryable,
  companyCode: string | null,
  keys: string[],
  pathOf: (key: string) => string,
): Promise<void> {
  if (keys.length === 0) return;
  const unknown = (await listUnknownKeys.first(db, { companyCode, keys }))?.key;
  if (unknown === undefined) return;
  throw invalidField(pathOf(unknown), fill(m.server_fields_unknown, { key: unknown }));
}

/** Returns the keys of the own columns that filters name, one for each filter. */
const keysOf = (filter: FieldFilter): string[] =>
  Object.keys(filter ?? {}).map((name) => name.split('.')[0] ?? '');

/**
 * Returns whether all own columns exist that filters name.
 * @param companyCode null for those of any company
 */
export async function hasFilteredKeys(
  db: Queryable,
  companyCode: string | null,
  filter: FieldFilter,
): Promise<boolean> {
  const keys = keysOf(filter);
  return keys.length === 0 || (await listUnknownKeys.first(db, { companyCode, keys })) === undefined;
}

/**
 * Checks that the own columns of filters and of an order exist.
 * @param companyCode null for those of any company
 * @param path the field of a body that has them; by default their parameters
 * @throws AppError 400 naming the field or the parameter
 */
export async function requireKnownFilter(
  db: Queryable,
  companyCode: string | null,
  { field, sort }: { field?: FieldFilter; sort?: string | undefined },
  path?: string,
): Promise<void> {
  const names = Object.keys(field ?? {});
  const keys = keysOf(field);
  const sorted = sort === undefined ? undefined : sortedField(sort);
  await requireKeys(db, companyCode, keys, (key) => path ?? `field.${names[keys.indexOf(key)]}`);
  await requireKeys(db, companyCode, sorted === undefined ? [] : [sorted], () => path ?? 'sort');
}

/** Names own columns of a company as people call them now, for the audit log. */
export async function nameFields(db: Queryable, companyCode: string, keys: string[]): Promise<string> {
  const fields = keys.length === 0 ? [] : await listFields.all(db, { companyCode });
  return keys.map((key) => fields.find((field) => field.key === key)?.name ?? key).join(', ');
}
