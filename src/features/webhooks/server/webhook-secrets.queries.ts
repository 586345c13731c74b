import { int8, text } from '#server/db/column-types.ts';
import { sealedColumn } from '#server/vault/sealed-column.ts';

/** The secrets that sign the messages of webhooks. */
export const webhookSecrets = sealedColumn('webhook', {
  table: 'webhooks',
  column: 'secret',
  columnType: text,
  key: 'id',
  keyType: int8,
});
