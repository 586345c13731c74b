import type { Queryable } from '#server/db/db.ts';
import { countKnownDevices, usableAnswer } from './known-devices.queries.ts';

export { usableAnswer };

/**
 * Adds the serials that a company's register has to counts by the age of their answer in whole days.
 * @param ages the counts by age, which grow
 */
export async function countKnownByAge(
  db: Queryable,
  companyCode: string,
  serials: string[],
  ages: Map<number, number>,
): Promise<void> {
  if (serials.length === 0) return;
  for (const { days, count } of await countKnownDevices.all(db, { companyCode, serials })) {
    ages.set(days, (ages.get(days) ?? 0) + count);
  }
}
