import { int8, text } from '#server/db/column-types.ts';
import { sealedColumn } from '#server/vault/sealed-column.ts';

/** The secrets of second factors. */
export const secondFactorSecrets = sealedColumn('totp', {
  table: 'second_factors',
  column: 'secret',
  columnType: text,
  key: 'user_id',
  keyType: int8,
});
