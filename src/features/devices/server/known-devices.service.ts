import type { Queryable } from '#server/db/db.ts';
import { countKnownDevices } from './known-devices.queries.ts';

/** The days within which known devices are counted. */
export const knownDays = [1, 7, 30] as const;

/** Counts the serials that a company's register has, and those checked within each of `knownDays`. */
export async function countKnown(db: Queryable, companyCode: string, serials: string[]) {
  if (serials.length === 0) return { all: 0, within: knownDays.map(() => 0) };
  const { all, day, week, month } = await countKnownDevices(db, companyCode, serials);
  return { all, within: [day, week, month] };
}
