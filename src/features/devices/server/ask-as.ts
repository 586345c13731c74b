import { type Caller, scopeOf } from '#server/http/caller.ts';
import type { Context } from '#server/runtime/context.ts';
import { dayIn } from '#shared/calendar-day.ts';
import type { DeviceQuestion } from '../devices.contract.ts';
import type { AskedDevices } from './devices.queries.ts';

/** Adds the caller's scope and the current day to the filters of a list. */
export function askAs(
  caller: Caller,
  { config, now }: Pick<Context, 'config' | 'now'>,
  asked: DeviceQuestion,
): AskedDevices {
  const timeZone = config.APP_TIMEZONE;
  return { ...asked, scope: scopeOf(caller), today: dayIn(timeZone, now()), timeZone };
}
