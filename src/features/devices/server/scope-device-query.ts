import { type Caller, scopeOf } from '#server/http/caller.ts';
import type { Context } from '#server/runtime/context.ts';
import { dayIn } from '#shared/calendar-day.ts';
import type { DeviceQuery } from '../devices.contract.ts';
import type { ScopedDeviceQuery } from './devices.queries.ts';

/** Adds the caller's scope and the current day to the filters of a list. */
export function scopeDeviceQuery(
  caller: Caller,
  { config, now }: Pick<Context, 'config' | 'now'>,
  deviceQuery: DeviceQuery,
): ScopedDeviceQuery {
  const timeZone = config.APP_TIMEZONE;
  return { ...deviceQuery, scope: scopeOf(caller), today: dayIn(timeZone, now()), timeZone };
}
