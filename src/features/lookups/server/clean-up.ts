import { deleteOldCallCounts } from '#features/sources/server/figures/call-counts.queries.ts';
import type { Queryable } from '#server/db/db.ts';
import type { Config } from '#server/runtime/config.ts';
import { deleteOldAnswers } from './write/answer-cache.queries.ts';
import { deleteOldReservations } from './write/reservations.queries.ts';

/** The most rows of a table that one step deletes, which takes a few milliseconds. */
const rowsPerStep = 1000;

/** Returns for how many hours an answer is reused and kept. */
export function cacheHoursOf({
  CACHE_HOURS: hours,
  RETENTION_DAYS_CACHE: days,
}: Pick<Config, 'CACHE_HOURS' | 'RETENTION_DAYS_CACHE'>): number {
  return days === undefined ? hours : Math.min(hours, days * 24);
}

/**
 * Deletes data that is too old, one small step per call.
 * @returns whether there is more to delete
 */
export async function cleanUp(db: Queryable, cacheHours: number): Promise<boolean> {
  const deleted = [
    await deleteOldAnswers.run(db, { hours: cacheHours, limit: rowsPerStep }),
    await deleteOldReservations.run(db, { limit: rowsPerStep }),
    await deleteOldCallCounts.run(db, { limit: rowsPerStep }),
  ];
  return deleted.includes(rowsPerStep);
}
