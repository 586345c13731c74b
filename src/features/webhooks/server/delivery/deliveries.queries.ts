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

export const listDeliveryPage = statement({
  text: `SELECT ${columns} FROM webhook_deliveries WHERE webhook_id = $1 ORDER BY id DESC LIMIT $2 OFFSET $3`,
  row: delivery,
}).allWith<[webhookId: number, limit: number, offset: number]>();

export const countDeliveries = statement({
  text: 'SELECT count(*) FROM webhook_deliveries WHERE webhook_id = $1',
  row: { count: int8 },
}).valueWith<[webhookId: number]>();

export const findDelivery = statement({
  text: `SELECT ${columns}, path, data, response_body FROM webhook_deliveries WHERE webhook_id = $1 AND id = $2`,
  row: { ...delivery, path: text, data: jsonb<Record<string, unknown>>(), response_body: nullable(text) },
}).firstWith<[webhookId: number, id: number]>();

export const insertTestDelivery = statement({
  text: `INSERT INTO webhook_deliveries (webhook_id, event, subject, path, data)
     VALUES ($1, 'webhook.test', 'webhook', '/dashboard/webhooks', jsonb_build_object('webhook_id', $1::bigint::text)) RETURNING ${columns}`,
  row: delivery,
}).oneWith<[webhookId: number]>();

/** Queues a delivery again. @returns undefined without such a delivery of the webhook */
export const requeueDelivery = statement({
  text: `UPDATE webhook_deliveries SET status = 'waiting', tries = 0, next_at = now()
     WHERE webhook_id = $1 AND id = $2 RETURNING ${columns}`,
  row: delivery,
}).firstWith<[webhookId: number, id: number]>();

export const giveUpWaiting = statement({
  text: `UPDATE webhook_deliveries SET status = 'failed' WHERE webhook_id = $1 AND status = 'waiting'`,
}).runWith<[webhookId: number]>();

/**
 * Deletes ended deliveries that are older than so many days, or beyond the newest `most` of their webhook.
 * @returns their number, at most `limit`
 */
export const deleteOldDeliveries = statement({
  text: `DELETE FROM webhook_deliveries WHERE id IN (
       SELECT id FROM (
         SELECT id, at, row_number() OVER (PARTITION BY webhook_id ORDER BY id DESC) AS rank
         FROM webhook_deliveries WHERE status <> 'waiting') AS ended
       WHERE rank > $2 OR at < now() - make_interval(days => $1)
       LIMIT $3)`,
}).runWith<[days: number, most: number, limit: number]>();
