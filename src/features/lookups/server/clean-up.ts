import { deleteOldCallCounts } from '#features/sources/server/figures/call-counts.queries.ts';
import type { Db } from '#server/db/db.ts';
import { deleteOldAnswers } from './write/answer-cache.queries.ts';
import { deleteOldReservations } from './write/reservations.queries.ts';

/** The number of cached answers that one step deletes, which takes a few milliseconds. */
const answersPerStep = 1000;

/**
 * Deletes data that is too old, one small step per call. Several workers may do so at once.
 * @returns whether there is more to delete
 */
export async function cleanUp(db: Db, cacheHours: number): Promise<boolean> {
  if ((await deleteOldAnswers(db, cacheHours, answersPerStep)) === answersPerStep) return true;
  await deleteOldReservations(db);
  await deleteOldCallCounts(db);
  return false;
}
