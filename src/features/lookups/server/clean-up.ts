import { deleteOldCallCounts } from '#features/sources/server/figures/call-counts.queries.ts';
import type { Db } from '#server/db/db.ts';
import { isOldestWorker } from './workers/workers.queries.ts';
import { deleteOldAnswers } from './write/answer-cache.queries.ts';
import { deleteOldReservations } from './write/reservations.queries.ts';

/** How many cached answers one step deletes: some milliseconds of work. */
const answersAtOnce = 1000;

/**
 * Deletes data that is too old, one small step per call. Only the oldest living worker does so.
 * @returns whether there is more to delete
 */
export async function cleanUp(db: Db, worker: string | undefined, cacheHours: number): Promise<boolean> {
  if (worker === undefined || !(await isOldestWorker(db, worker))) return false;
  if ((await deleteOldAnswers(db, cacheHours, answersAtOnce)) === answersAtOnce) return true;
  await deleteOldReservations(db);
  await deleteOldCallCounts(db);
  return false;
}
