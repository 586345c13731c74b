import { type Caller, scopeOf } from '#server/http/caller.ts';
import type { Context } from '#server/runtime/context.ts';
import { dayIn } from '#shared/calendar-day.ts';
import { countAllDevices } from './device-counts.queries.ts';
import { countChangedDevices, countCoverageEnds, countEndsByMonth, deviceValues } from './figures.queries.ts';

/** More values than anyone looks through in a list of choices. */
const valuesAtMost = 100;

/** Counts the devices behind each choice of the filters, regardless of other filters. */
export async function readDeviceFigures(
  { db, config, now }: Pick<Context, 'db' | 'config' | 'now'>,
  caller: Caller,
  { company_code, values }: { company_code?: string | undefined; values: '0' | '1' },
) {
  const timeZone = config.APP_TIMEZONE;
  const today = dayIn(timeZone, now());
  const scope = scopeOf(caller);
  const companyCode = company_code ?? null;
  // One after the other, because a heavy read uses up to three connections. Most are read from kept numbers.
  const all = await countAllDevices.one(db, { scope, companyCode, today });
  const ends = await countCoverageEnds.one(db, { scope, companyCode, today });
  const ending_months = await countEndsByMonth.all(db, { scope, companyCode, today });
  const changes = await countChangedDevices.one(db, { scope, companyCode, today, timeZone });
  const figures = { ...all, ...ends, ending_months, ...changes };
  if (values === '0') return figures;
  const params = { scope, companyCode, limit: valuesAtMost };
  const [types, warranties, sources] = await Promise.all([
    deviceValues.types.all(db, params),
    deviceValues.warranties.all(db, params),
    deviceValues.sources.all(db, params),
  ]);
  return { ...figures, types, warranties, sources };
}
