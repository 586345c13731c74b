import { requireKeys } from '#features/devices/server/fields/fields.service.ts';
import type { Db } from '#server/db/db.ts';
import type { Caller } from '#server/http/caller.ts';
import type { CellText } from '../../imports.contract.ts';
import type { RowSource } from '../reading/row-source.ts';

/**
 * Returns a list of texts, some with values of own columns, as the source of an import.
 * @throws AppError 400 for an unknown key
 */
export async function toTextSource(db: Db, { companyCode }: Caller, serials: CellText[]): Promise<RowSource> {
  const fields = serials.map((entry) => (typeof entry === 'string' ? undefined : entry.fields));
  const keys = [...new Set(fields.flatMap((one) => Object.keys(one ?? {})))];
  await requireKeys(db, companyCode, keys, (key) => {
    const entry = fields.findIndex((one) => one && Object.hasOwn(one, key));
    return `serials.${entry}.fields.${key}`;
  });
  return {
    kind: 'texts',
    texts: serials.map((entry) => (typeof entry === 'string' ? entry : entry.serial)),
    ...(keys.length > 0 && { fields }),
  };
}
