import { countForLimit, record } from '#features/audit/server/audit.service.ts';
import type { Db, Queryable } from '#server/db/db.ts';
import type { Caller } from '#server/http/caller.ts';
import { changeAs } from '#server/http/caller-rights.ts';
import { AppError } from '#server/http/errors/errors.ts';
import type { Context } from '#server/runtime/context.ts';
import { describePage } from '#shared/describe-page.ts';
import type { Paging } from '#shared/paging.ts';
import { m } from '#shared/texts/messages.js';
import type { WebhookDelivery } from '../../webhooks.contract.ts';
import { lockWebhook } from '../webhooks.queries.ts';
import { requireWebhook } from '../webhooks.service.ts';
import {
  countDeliveries,
  type DeliveryRow,
  deleteOldDeliveries,
  findDelivery,
  insertTestDelivery,
  listDeliveryPage,
  requeueDelivery,
} from './deliveries.queries.ts';
import { messageId, writeMessage } from './message.ts';

const keptDays = 30;
/** The most ended deliveries that are kept of a webhook. */
const keptDeliveries = 1000;
const deletedAtOnce = 5000;
const limitedMs = 600_000;
/** The most calls of each kind for a company in `limitedMs`. All superadmins together count as one company. */
const maxCalls = { 'webhook.test': 20, 'webhook.redeliver': 100 };

/** @throws AppError 404 outside the caller's scope */
export async function listDeliveries(db: Db, caller: Caller, webhookId: number, { page, limit }: Paging) {
  const { id } = await requireWebhook(db, caller, webhookId);
  const [rows, { count: total }] = await Promise.all([
    listDeliveryPage.all(db, { webhookId: id, limit, offset: (page - 1) * limit }),
    countDeliveries.one(db, { webhookId: id }),
  ]);
  return { data: rows.map(describeDelivery), pagination: describePage(page, limit, total) };
}

/** @throws AppError 404 outside the caller's scope */
export async function getDelivery(
  { db, publicUrl }: Pick<Context, 'db' | 'publicUrl'>,
  caller: Caller,
  webhookId: number,
  id: number,
) {
  const webhook = await requireWebhook(db, caller, webhookId);
  const row = await findDelivery.first(db, { webhookId: webhook.id, id });
  if (!row) throw deliveryNotFound();
  return {
    ...describeDelivery(row),
    webhook_id: messageId(row.id),
    request_body: writeMessage(row, publicUrl),
    response_body: row.response_body,
  };
}

/**
 * Queues the event `webhook.test` for a webhook, also for one that is switched off.
 * @throws AppError 401, 404 outside the caller's scope, 429 after too many tests for the company
 */
export function testWebhook(
  { db, now }: Pick<Context, 'db' | 'now'>,
  caller: Caller,
  webhookId: number,
): Promise<WebhookDelivery> {
  return changeAs(db, caller, async (tx) => {
    const { id, company_code: companyCode } = await requireWebhook(tx, caller, webhookId, lockWebhook);
    await requireFewCalls(tx, 'webhook.test', companyCode, now());
    const row = await insertTestDelivery.one(tx, { webhookId: id });
    const after = { delivery: String(row.id), event: row.event };
    await record(tx, { action: 'webhook.test', objectId: id, companyCode, after });
    return describeDelivery(row);
  });
}

/**
 * Queues a delivery again, also for a webhook that is switched off.
 * @throws AppError 401, 404 outside the caller's scope, 429 after too many such calls for the company
 */
export function redeliver(
  { db, now }: Pick<Context, 'db' | 'now'>,
  caller: Caller,
  webhookId: number,
  id: number,
): Promise<WebhookDelivery> {
  return changeAs(db, caller, async (tx) => {
    const webhook = await requireWebhook(tx, caller, webhookId);
    const { company_code: companyCode } = webhook;
    await requireFewCalls(tx, 'webhook.redeliver', companyCode, now());
    const row = await requeueDelivery.first(tx, { webhookId: webhook.id, id });
    if (!row) throw deliveryNotFound();
    const after = { delivery: String(row.id), event: row.event };
    await record(tx, { action: 'webhook.redeliver', objectId: webhook.id, companyCode, after });
    return describeDelivery(row);
  });
}

/** Deletes some ended deliveries that are old or many. @returns whether there may be more */
export async function cleanUpDeliveries(db: Db): Promise<boolean> {
  const limits = { days: keptDays, most: keptDeliveries, limit: deletedAtOnce };
  return (await deleteOldDeliveries.run(db, limits)) === deletedAtOnce;
}

/** @throws AppError 429 */
async function requireFewCalls(
  tx: Queryable,
  action: keyof typeof maxCalls,
  companyCode: string | null,
  now: Date,
): Promise<void> {
  const made = await countForLimit(tx, {
    actions: [action],
    companyCode,
    since: new Date(now.getTime() - limitedMs),
  });
  if (made < maxCalls[action]) return;
  throw new AppError(429, 'too_many_webhook_tests', m.server_too_many_webhook_tests, {
    retryAfterSeconds: limitedMs / 1000,
  });
}

function describeDelivery(row: DeliveryRow): WebhookDelivery {
  const { id, event, status, attempts, response_status, error, duration_ms } = row;
  return {
    _id: String(id),
    event,
    at: row.at.toISOString(),
    attempts,
    status,
    response_status,
    error,
    attempted_at: row.attempted_at?.toISOString() ?? null,
    duration_ms,
    next_at: status === 'waiting' ? row.next_at.toISOString() : null,
  };
}

function deliveryNotFound(): AppError {
  return new AppError(404, 'delivery_not_found', m.server_not_found);
}
