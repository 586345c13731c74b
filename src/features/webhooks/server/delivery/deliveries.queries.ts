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
const { next_at, ...stored } = delivery;
// No delivery begins before its webhook is free. While an attempt runs, this is the end of its lease, although it may end earlier.
const columns = `${listColumns(stored)},
  greatest(next_at, (SELECT busy_until FROM webhooks WHERE webhooks.id = webhook_id)) AS next_at`;

export type DeliveryRow = RowOf<typeof delivery>;

export const listDeliveryPage = statement({
  text: `SELECT ${columns} FROM webhook_deliveries WHERE webhook_id = :webhookId ORDER BY id DESC LIMIT :limit OFFSET :offset`,
  params: { webhookId: int8, limit: int8, offset: int8 },
  row: delivery,
});

export const countDeliveries = statement({
  text: 'SELECT count(*) FROM webhook_deliveries WHERE webhook_id = :webhookId',
  params: { webhookId: int8 },
  row: { count: int8 },
});

export const findDelivery = statement({
  text: `SELECT ${columns}, path, data, response_body FROM webhook_deliveries WHERE webhook_id = :webhookId AND id = :id`,
  params: { webhookId: int8, id: int8 },
  row: { ...delivery, path: text, data: jsonb<Record<string, unknown>>(), response_body: nullable(text) },
});

/** Queues a test, with a subject of its own, so that it does not wait for an earlier test that failed. */
export const insertTestDelivery = statement({
  text: `INSERT INTO webhook_deliveries (webhook_id, event, subject, path, data)
     VALUES (:webhookId, 'webhook.test', 'test:' || gen_random_uuid(), '/dashboard/webhooks',
       jsonb_build_object('webhook_id', :webhookId::bigint::text)) RETURNING ${columns}`,
  params: { webhookId: int8 },
  row: delivery,
});

/** Queues a delivery again. @returns undefined without such a delivery of the webhook */
export const requeueDelivery = statement({
  text: `UPDATE webhook_deliveries SET status = 'waiting', tries = 0, next_at = now()
     WHERE webhook_id = :webhookId AND id = :id RETURNING ${columns}`,
  params: { webhookId: int8, id: int8 },
  row: delivery,
});

export const giveUpWaiting = statement({
  text: `UPDATE webhook_deliveries SET status = 'failed' WHERE webhook_id = :webhookId AND status = 'waiting'`,
  params: { webhookId: int8 },
});

/**
 * Deletes ended deliveries that are older than so many days, or beyond the newest `most` of their webhook.
 * @returns their number, at most `limit`
 */
export const deleteOldDeliveries = statement({
  text: `DELETE FROM webhook_deliveries WHERE id IN (
       SELECT id FROM (
         SELECT id, at, row_number() OVER (PARTITION BY webhook_id ORDER BY id DESC) AS rank
         FROM webhook_deliveries WHERE status <> 'waiting') AS ended
       WHERE rank > :most OR at < now() - make_interval(days => :days)
       LIMIT :limit)`,
  params: { days: int4, most: int8, limit: int8 },
});
