import { randomBytes } from 'node:crypto';
import { isIP } from 'node:net';
import { record } from '#features/audit/server/audit.service.ts';
import type { Db, Queryable } from '#server/db/db.ts';
import { classifyAddress, isLoopbackHost } from '#server/egress/addresses.ts';
import { type Caller, scopeOf } from '#server/http/caller.ts';
import { changeAs } from '#server/http/caller-rights.ts';
import { AppError, fill, invalidField, requireVersion } from '#server/http/errors/errors.ts';
import type { Context } from '#server/runtime/context.ts';
import { findVault } from '#server/vault/vault.ts';
import { describePage } from '#shared/describe-page.ts';
import type { Locale } from '#shared/locale.ts';
import type { Paging } from '#shared/paging.ts';
import { m } from '#shared/texts/messages.js';
import { isSourceEvent, type WebhookEvent } from '../webhook-events.shared.ts';
import type { Webhook, WebhookChange, WebhookOrder } from '../webhooks.contract.ts';
import { leaseSeconds } from './delivery/deliver.ts';
import { giveUpWaiting } from './delivery/deliveries.queries.ts';
import {
  countForCreation,
  countWebhooks,
  deleteWebhookRow,
  findWebhook,
  insertWebhook,
  listWebhookPage,
  lockWebhook,
  renewSecret,
  updateWebhookRow,
  type WebhookRow,
} from './webhooks.queries.ts';

/** The most webhooks of a company, and of the superadmins. */
const maxWebhooks = 20;
/** How long a renewed secret signs beside its successor. */
const oldSecretHours = 24;

export async function listWebhooks(
  db: Db,
  caller: Caller,
  { page, limit, company_code }: Paging & { company_code?: string | undefined },
) {
  const scope = scopeOf(caller);
  const [rows, { count: total }] = await Promise.all([
    listWebhookPage.all(db, { scope, companyCode: company_code, limit, offset: (page - 1) * limit }),
    countWebhooks.one(db, { scope, companyCode: company_code }),
  ]);
  return { data: rows.map(describeWebhook), pagination: describePage(page, limit, total) };
}

/**
 * Creates a webhook: of the caller's company, or for superadmins of all companies.
 * @returns the webhook with its secret, which is stored sealed
 * @throws AppError 400 for an unusable address or an event for superadmins, 401, 409 beyond 20 webhooks
 */
export async function createWebhook(
  { db, config }: Context,
  caller: Caller,
  order: WebhookOrder,
  language: Locale,
): Promise<Webhook & { secret: string }> {
  const companyCode = scopeOf(caller);
  requireOrder(order, companyCode, config.ALLOW_PRIVATE_WEBHOOKS);
  const { secret, sealed } = createWebhookSecret();
  const row = await changeAs(db, caller, async (tx) => {
    if ((await countForCreation(tx, companyCode)) >= maxWebhooks) {
      throw new AppError(409, 'too_many_webhooks', fill(m.server_webhook_too_many, { limit: maxWebhooks }));
    }
    const newWebhook = { ...order, companyCode, createdBy: caller.id, language };
    const inserted = await insertWebhook.one(tx, { ...newWebhook, secret: sealed });
    await record(tx, { action: 'webhook.create', ...about(inserted), after: summarise(inserted) });
    return inserted;
  });
  return { ...describeWebhook(row), secret };
}

/**
 * Replaces the settings of a webhook. Its failures are forgotten. Switching it off gives up what waits for it.
 * @throws AppError 400 as `createWebhook`, 401, 404 outside the caller's scope; 409 when they have changed since the
 * given version
 */
export function updateWebhook(
  { db, config }: Context,
  caller: Caller,
  id: number,
  { version, ...order }: WebhookChange,
): Promise<Webhook> {
  return changeAs(db, caller, async (tx) => {
    const before = await requireWebhook(tx, caller, id, lockWebhook);
    requireVersion(version, before.version, m.server_settings_changed);
    requireOrder(order, before.company_code, config.ALLOW_PRIVATE_WEBHOOKS);
    const after = await updateWebhookRow.one(tx, { ...order, id: before.id, leaseSeconds });
    if (!order.active) await giveUpWaiting.run(tx, { webhookId: before.id });
    await record(tx, {
      action: 'webhook.update',
      ...about(after),
      before: summarise(before),
      after: summarise(after),
    });
    return describeWebhook(after);
  });
}

/**
 * Gives a webhook a new secret. The one before signs for 24 hours, too; an even older one ends at once.
 * @returns the webhook with its secret, which is stored sealed
 * @throws AppError 401, 404 outside the caller's scope
 */
export async function renewWebhookSecret(
  db: Db,
  caller: Caller,
  id: number,
): Promise<Webhook & { secret: string }> {
  const { secret, sealed } = createWebhookSecret();
  const row = await changeAs(db, caller, async (tx) => {
    const before = await requireWebhook(tx, caller, id, lockWebhook);
    const renewed = await renewSecret.one(tx, { id: before.id, sealed, hours: oldSecretHours });
    await record(tx, { action: 'webhook.renew', ...about(renewed), after: summarise(renewed) });
    return renewed;
  });
  return { ...describeWebhook(row), secret };
}

function createWebhookSecret(): { secret: string; sealed: string } {
  const secret = `whsec_${randomBytes(32).toString('base64')}`;
  return { secret, sealed: findVault().seal('webhook', secret) };
}

/** @throws AppError 401, 404 outside the caller's scope */
export async function deleteWebhook(db: Db, caller: Caller, id: number): Promise<void> {
  await changeAs(db, caller, async (tx) => {
    const row = await requireWebhook(tx, caller, id, lockWebhook);
    await deleteWebhookRow.run(tx, { id: row.id });
    await record(tx, { action: 'webhook.delete', ...about(row), before: summarise(row) });
  });
}

/**
 * Finds a webhook in the caller's scope.
 * @param find `lockWebhook` to lock it against changes until the transaction ends
 * @throws AppError 404
 */
export async function requireWebhook(
  db: Queryable,
  caller: Caller,
  id: number,
  find: typeof findWebhook = findWebhook,
): Promise<WebhookRow> {
  const row = await find.first(db, { id, scope: scopeOf(caller) });
  if (!row) throw webhookNotFound();
  return row;
}

function requireOrder(
  { url, events }: WebhookOrder,
  companyCode: string | null,
  allowPrivate: boolean,
): void {
  requireTargetUrl(url, allowPrivate);
  if (companyCode !== null && events.some(isSourceEvent)) {
    throw invalidField('events', m.server_webhook_source_events);
  }
}

function webhookNotFound(): AppError {
  return new AppError(404, 'webhook_not_found', m.server_webhook_not_found);
}

function describeWebhook(row: WebhookRow): Webhook {
  const { id, url, events, active, company_code, created_by_name, version } = row;
  return {
    _id: String(id),
    url,
    events: events as WebhookEvent[],
    active,
    company_code,
    created_by: created_by_name,
    created_at: row.created_at.toISOString(),
    failing_since: row.failing_since?.toISOString() ?? null,
    switched_off_at: row.switched_off_at?.toISOString() ?? null,
    old_secret_until: row.old_secret_until?.toISOString() ?? null,
    version,
  };
}

const about = ({ id, company_code }: WebhookRow) => ({ objectId: id, companyCode: company_code });

/** The address without its path, which may hold a secret of the receiver. */
function summarise({ url, events, active }: WebhookRow) {
  return { url: new URL(url).origin, events: events.join(', '), active };
}

/**
 * Checks the address of a webhook as it is written. Names are checked again by their addresses at each connection.
 * @param allowPrivate ALLOW_PRIVATE_WEBHOOKS: accepts private addresses and http
 * @throws AppError 400 naming `url`
 */
export function requireTargetUrl(text: string, allowPrivate: boolean): void {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const protocols = allowPrivate ? ['https:', 'http:'] : ['https:'];
  if (!url || !protocols.includes(url.protocol) || url.username !== '' || url.password !== '') {
    throw invalidField('url', m.server_webhook_url_form);
  }
  const host = url.hostname.replace(/^\[|\]$/g, '');
  const kind = isIP(host) !== 0 ? classifyAddress(host) : isLoopbackHost(host) ? 'loopback' : 'public';
  if (kind === 'special' || (kind !== 'public' && !allowPrivate)) {
    throw invalidField('url', m.server_webhook_url_private);
  }
}
