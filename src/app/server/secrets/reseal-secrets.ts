import {
  requireOpenableSecondFactors,
  resealSecondFactors,
} from '#features/accounts/server/second-factor/reseal-second-factors.service.ts';
import { requireOpenableProxies, resealProxies } from '#features/proxies/server/reseal-proxies.service.ts';
import { requireOpenableTokens, resealTokens } from '#features/sources/server/reseal-tokens.service.ts';
import {
  requireOpenableCalendars,
  resealCalendars,
} from '#features/watch/server/calendar/reseal-calendars.service.ts';
import {
  requireOpenableWebhooks,
  resealWebhooks,
} from '#features/webhooks/server/reseal-webhooks.service.ts';
import type { Db } from '#server/db/db.ts';

/**
 * Checks that SECRETS_KEY or SECRETS_KEY_OLD opens every stored secret.
 * @throws StartError if no key opens one of them
 */
export async function requireOpenableSecrets(db: Db): Promise<void> {
  await requireOpenableProxies(db);
  await requireOpenableTokens(db);
  await requireOpenableCalendars(db);
  await requireOpenableWebhooks(db);
  await requireOpenableSecondFactors(db);
}

/**
 * Seals with the current key every stored secret that is in clear text or sealed with another key.
 * @returns the number of sealed secrets
 */
export async function resealSecrets(db: Db): Promise<number> {
  const sealed = [
    await resealProxies(db),
    await resealTokens(db),
    await resealCalendars(db),
    await resealSecondFactors(db),
    await resealWebhooks(db),
  ];
  return sealed.reduce((sum, count) => sum + count, 0);
}
