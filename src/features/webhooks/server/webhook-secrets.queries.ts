import { type Column, int8, notNull, text } from '#server/db/column-types.ts';
import { sealedColumn } from '#server/vault/sealed-column.ts';

const secretsIn = (column: 'secret' | 'old_secret', columnType: Column<string>) =>
  sealedColumn('webhook', { table: 'webhooks', column, columnType, key: 'id', keyType: int8 });

/** The secrets that sign the messages of webhooks. */
export const webhookSecrets = secretsIn('secret', text);

/** Their renewed secrets, which sign for a while too. */
export const oldWebhookSecrets = secretsIn('old_secret', notNull(text));
