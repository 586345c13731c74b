import { notNull, text } from '#server/db/column-types.ts';
import { sealedColumn } from '#server/vault/sealed-column.ts';

/** The tokens of vendors, by their tables. */
export const vendorTokens = ['gsx_sessions', 'apple_tokens'].map((table) =>
  sealedColumn('token', { table, column: 'token', columnType: notNull(text), key: 'account', keyType: text }),
);
