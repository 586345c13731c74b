import { type Db, inTransaction } from '#server/db/db.ts';
import { addCallCounts } from './call-counts.queries.ts';
import type { CallCounter } from './call-counts.ts';

/**
 * Adds the calls that this worker has counted to the figures of all workers. Counts that could not be added are kept for
 * the next time.
 * @throws Error of the database
 */
export async function addFigures(
  db: Db,
  sources: { entry: { name: string }; callCounter: CallCounter }[],
): Promise<void> {
  for (const { entry, callCounter } of sources) {
    const counts = callCounter.take();
    if (!counts) continue;
    try {
      await inTransaction(db, (tx) => addCallCounts(tx, entry.name, counts));
    } catch (error) {
      callCounter.putBack(counts);
      throw error;
    }
  }
}
