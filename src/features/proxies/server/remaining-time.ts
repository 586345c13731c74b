import type { Locale } from '#shared/locale.ts';
import { m } from '#shared/texts/messages.js';

/**
 * Describes the time until a proxy set expires: "29 days 23 hours", on the last day "23 hours 59 minutes", in the last
 * hour "59 minutes".
 * @returns null once it has expired
 */
export function describeRemaining(expiresAt: Date, now: Date, locale: Locale): string | null {
  const ms = expiresAt.getTime() - now.getTime();
  if (ms <= 0) return null;
  const minutes = Math.floor(ms / 60_000);
  const hours = Math.floor(minutes / 60);
  const days = Math.floor(hours / 24);
  const options = { locale };
  if (days > 0)
    return `${m.server_days({ count: days }, options)} ${m.server_hours({ count: hours % 24 }, options)}`;
  const rest = m.server_minutes({ count: minutes % 60 }, options);
  return hours > 0 ? `${m.server_hours({ count: hours }, options)} ${rest}` : rest;
}
