import type { Queryable } from '#server/db/db.ts';
import { findVault } from '#server/vault/vault.ts';

/** The secret of every webhook that `storeWebhook` stores. */
export const webhookSecret = `whsec_${Buffer.from('a secret of the tests, 32 bytes.').toString('base64')}`;

type Stored = { companyCode?: string | null; events: string[]; url?: string; createdBy?: number };

/** Stores an active webhook; by default one of the superadmins, with an address that is refused. @returns its id */
export async function storeWebhook(db: Queryable, stored: Stored): Promise<number> {
  const { companyCode = null, events, url = 'https://10.0.0.1/', createdBy = null } = stored;
  const { rows } = await db.query<{ id: number }>(
    `INSERT INTO webhooks (company_code, created_by, url, events, secret, active, language)
     VALUES ($1, $2, $3, $4, $5, true, 'en') RETURNING id`,
    [companyCode, createdBy, url, events, findVault().seal('webhook', webhookSecret)],
  );
  return rows[0]?.id ?? 0;
}

export type StoredDelivery = {
  id: number;
  event: string;
  status: string;
  attempts: number;
  data: Record<string, unknown>;
};

/** Lists the deliveries of a webhook, oldest first. */
export async function listDeliveriesOf(db: Queryable, webhookId: number): Promise<StoredDelivery[]> {
  const { rows } = await db.query<StoredDelivery>(
    'SELECT id, event, status, attempts, data FROM webhook_deliveries WHERE webhook_id = $1 ORDER BY id',
    [webhookId],
  );
  return rows;
}
