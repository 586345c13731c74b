import { secondFactorSecrets } from '#features/accounts/server/second-factor/second-factor-secrets.queries.ts';
import { requireOpenableProxies, resealProxies } from '#features/proxies/server/reseal-proxies.service.ts';
import { vendorTokens } from '#features/sources/server/kinds/tokens/vendor-tokens.queries.ts';
import { calendarSecrets } from '#features/watch/server/calendar/calendar-secrets.queries.ts';
import { oldWebhookSecrets, webhookSecrets } from '#features/webhooks/server/webhook-secrets.queries.ts';
import type { Db, Queryable } from '#server/db/db.ts';

/** All columns with sealed secrets, except the proxies, whose addresses have a sealed part. */
const columns = [...vendorTokens, calendarSecrets, secondFactorSecrets, webhookSecrets, oldWebhookSecrets];

/**
 * Checks that SECRETS_KEY or SECRETS_KEY_OLD opens every stored secret.
 * @throws StartError if no key opens one of them
 */
export async function requireOpenableSecrets(db: Queryable): Promise<void> {
  await requireOpenableProxies(db);
  for (const column of columns) await column.requireOpenable(db);
}

/**
 * Seals with the current key every stored secret that is in clear text or sealed with another key.
 * @returns the number of sealed secrets
 */
export async function resealSecrets(db: Db): Promise<number> {
  let sealed = await resealProxies(db);
  for (const column of columns) sealed += await column.reseal(db);
  return sealed;
}
