import { record } from '#features/audit/server/audit.service.ts';
import { mapInSlices } from '#server/db/bulk/in-slices.ts';
import { takeNumber } from '#server/db/counters.queries.ts';
import type { Db } from '#server/db/db.ts';
import type { Caller } from '#server/http/caller.ts';
import { changeAs } from '#server/http/caller-rights.ts';
import { AppError } from '#server/http/errors/errors.ts';
import type { Origin } from '#server/http/origin.ts';
import type { Context } from '#server/runtime/context.ts';
import { dayIn } from '#shared/calendar-day.ts';
import type { Locale } from '#shared/locale.ts';
import { m } from '#shared/texts/messages.js';
import type { ProxySet } from '../proxies.contract.ts';
import { deleteProxySetRow, insertProxySet, listProxySetRows, type ProxySetRow } from './proxies.queries.ts';
import { displayProxy, readProxyLines } from './proxy-lines.ts';
import { openProxy, sealProxy } from './proxy-secrets.service.ts';

const dayMs = 24 * 60 * 60 * 1000;
const shownProxies = 5;

/**
 * Stores the usable lines of a proxy file as a new Active set.
 * @throws AppError 401 when the caller's session has ended, 415 when it is not text, 422 without a usable line
 */
export async function uploadProxies(
  { db, config, ...context }: Context,
  caller: Caller,
  file: Buffer,
  locale: Locale,
) {
  const { urls, rejected, rejectedCount, duplicateCount } = await readProxyLines(
    decodeText(file),
    config.ALLOW_PRIVATE_PROXIES,
  );
  if (urls.length === 0) {
    const details = rejected.map(({ line, reason }) => ({
      path: String(line),
      message: reason,
    }));
    throw new AppError(422, 'no_usable_proxy', m.server_proxies_none, {
      details,
    });
  }
  const createdAt = context.now();
  const expiresAt = new Date(createdAt.getTime() + config.PROXY_SET_DAYS * dayMs);
  const day = dayIn(config.APP_TIMEZONE, createdAt).replaceAll('-', '');
  // Before the transaction, because that locks the counter of set numbers.
  const sealed = await mapInSlices(urls, sealProxy);
  const name = await changeAs(db, caller, async (tx) => {
    const { value: number } = await takeNumber.one(tx, { name: `proxy-set:${day}` });
    const proxySet = `set-${day}-${String(number).padStart(2, '0')}`;
    await insertProxySet.run(tx, { name: proxySet, createdAt, expiresAt, urls: sealed });
    await record(tx, {
      action: 'proxies.upload',
      objectId: proxySet,
      after: {
        proxy_set: proxySet,
        proxies_count: urls.length,
        rejected_count: rejectedCount,
        expire_date: expiresAt.toISOString(),
      },
    });
    return proxySet;
  });
  return {
    proxy_set: name,
    proxies_count: urls.length,
    expire_date: expiresAt.toISOString(),
    sample_proxies: urls.slice(0, shownProxies).map(displayProxy),
    rejected: rejected.map(({ line, reason }) => ({ line, reason: reason({}, { locale }) })),
    rejected_count: rejectedCount,
    duplicate_count: duplicateCount,
  };
}

/** Lists all sets, newest first, with the counts of the summary cards. */
export async function listProxySets(db: Db, options: { withProxies: boolean; now: Date }, locale: Locale) {
  const data: ProxySet[] = [];
  for (const row of await listProxySetRows.all(db)) data.push(await describeSet(row, options, locale));
  const active = data.filter((set) => set.status === 'Active').length;
  return {
    data,
    summary: {
      total: data.length,
      active,
      inactive: data.length - active,
      total_proxies: data.reduce((sum, set) => sum + set.proxies_count, 0),
    },
  };
}

/** Records in the audit log that the caller saw the sets with their passwords. */
export function recordRead(
  db: Db,
  { total, total_proxies }: { total: number; total_proxies: number },
  origin: Origin,
): Promise<void> {
  return record(
    db,
    { action: 'proxies.read', after: { proxy_sets: total, proxies_count: total_proxies } },
    origin,
  );
}

async function describeSet(
  row: ProxySetRow,
  { withProxies, now }: { withProxies: boolean; now: Date },
  locale: Locale,
): Promise<ProxySet> {
  const remaining_time = describeRemaining(row.expires_at, now, locale);
  return {
    _id: String(row.id),
    proxy_set: row.proxy_set,
    status: remaining_time === null ? 'Inactive' : 'Active',
    date: row.created_at.toISOString(),
    expire_date: row.expires_at.toISOString(),
    proxies_count: row.urls.length,
    remaining_time,
    proxies: withProxies ? await mapInSlices(row.urls, (url) => displayProxy(openProxy(url))) : [],
  };
}

/** @throws AppError 404 */
export async function deleteProxySet(db: Db, caller: Caller, name: string): Promise<void> {
  await changeAs(db, caller, async (tx) => {
    const deleted = await deleteProxySetRow.first(tx, { name });
    if (!deleted) {
      throw new AppError(404, 'proxy_set_not_found', m.server_proxy_set_not_found);
    }
    await record(tx, {
      action: 'proxies.delete',
      objectId: name,
      before: {
        proxy_set: name,
        proxies_count: deleted.proxies_count,
        expire_date: deleted.expires_at.toISOString(),
      },
    });
  });
}

/** Decodes UTF-8 text. @throws AppError 415 for other bytes */
function decodeText(file: Buffer): string {
  try {
    if (!file.includes(0)) return new TextDecoder('utf-8', { fatal: true }).decode(file);
  } catch {
    // Not UTF-8.
  }
  throw new AppError(415, 'not_text', m.server_proxies_not_text);
}

/**
 * Describes the time until a proxy set expires: "29 days 23 hours", on the last day "23 hours 59 minutes", in the last
 * hour "59 minutes".
 * @returns null once it has expired
 */
function describeRemaining(expiresAt: Date, now: Date, locale: Locale): string | null {
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
