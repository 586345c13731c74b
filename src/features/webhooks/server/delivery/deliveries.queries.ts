import {
  int4,
  int8,
  jsonb,
  listColumns,
  nullable,
  type RowOf,
  text,
  textOf,
  timestamptz,
} from '#server/db/column-types.ts';
import type { Queryable } from '#server/db/db.ts';
import { statement } from '#server/db/statement.ts';
import type { WebhookDelivery } from '../../webhooks.contract.ts';

const delivery = {
  id: int8,
  event: textOf<WebhookDelivery['event']>(),
  at: timestamptz,
  status: textOf<WebhookDelivery['status']>(),
  attempts: int4,
  next_at: timestamptz,
  attempted_at: nullable(timestamptz),
  duration_ms: nullable(int4),
  response_status: nullable(int4),
  error: nullable(text),
};
const columns = listColumns(delivery);

export type DeliveryRow = RowOf<typeof delivery>;

const listPage = statement({
  text: `SELECT ${columns} FROM webhook_deliveries WHERE webhook_id = $1 ORDER BY id DESC LIMIT $2 OFFSET $3`,
  row: delivery,
});

/** Lists one page of the deliveries of a webhook, newest first. */
export function listDeliveryPage(db: Queryable, webhookId: number, limit: number, offset: number) {
  return listPage.all(db, [webhookId, limit, offset]);
}

const count = statement({
  text: 'SELECT count(*) FROM webhook_deliveries WHERE webhook_id = $1',
  row: { count: int8 },
});

export async function countDeliveries(db: Queryable, webhookId: number): Promise<number> {
  return (await count.one(db, [webhookId])).count;
}

const find = statement({
  text: `SELECT ${columns}, path, data, response_body FROM webhook_deliveries WHERE webhook_id = $1 AND id = $2`,
  row: { ...delivery, path: text, data: jsonb<Record<string, unknown>>(), response_body: nullable(text) },
});

/** Finds a delivery of a webhook, with its message and the latest answer. */
export function findDelivery(db: Queryable, webhookId: number, id: number) {
  return find.first(db, [webhookId, id]);
}

const insertTest = statement({
  text: `INSERT INTO webhook_deliveries (webhook_id, event, subject, path, data)
     VALUES ($1, 'webhook.test', 'webhook', '/dashboard/webhooks', jsonb_build_object('webhook_id', $1::bigint::text)) RETURNING ${columns}`,
  row: delivery,
});

/** Queues the test of a webhook. */
export function insertTestDelivery(tx: Queryable, webhookId: number): Promise<DeliveryRow> {
  return insertTest.one(tx, [webhookId]);
}

const queueAgain = statement({
  text: `UPDATE webhook_deliveries SET status = 'waiting', tries = 0, next_at = now()
     WHERE webhook_id = $1 AND id = $2 RETURNING ${columns}`,
  row: delivery,
});

/** Queues a delivery again. @returns undefined without such a delivery of the webhook */
export function requeueDelivery(tx: Queryable, webhookId: number, id: number) {
  return queueAgain.first(tx, [webhookId, id]);
}

const giveUp = statement({
  text: `UPDATE webhook_deliveries SET status = 'failed' WHERE webhook_id = $1 AND status = 'waiting'`,
});

/** Gives up all deliveries that wait for a webhook. */
export async function giveUpWaiting(tx: Queryable, webhookId: number): Promise<void> {
  await giveUp.run(tx, [webhookId]);
}

const deleteOld = statement({
  text: `DELETE FROM webhook_deliveries WHERE id IN (
       SELECT id FROM (
         SELECT id, at, row_number() OVER (PARTITION BY webhook_id ORDER BY id DESC) AS rank
         FROM webhook_deliveries WHERE status <> 'waiting') AS ended
       WHERE rank > $2 OR at < now() - make_interval(days => $1)
       LIMIT $3)`,
});

/**
 * Deletes ended deliveries that are older than so many days, or beyond the newest `most` of their webhook.
 * @returns their number, at most `limit`
 */
export function deleteOldDeliveries(
  db: Queryable,
  days: number,
  most: number,
  limit: number,
): Promise<number> {
  return deleteOld.run(db, [days, most, limit]);
}
