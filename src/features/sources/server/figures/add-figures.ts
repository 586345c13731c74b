import { type Db, inTransaction, type Queryable } from '#server/db/db.ts';
import { addCallCounts } from './call-counts.queries.ts';
import type { CallCounter, CallCounts } from './call-counts.ts';

/**
 * Adds the calls that this worker has counted to the figures of all workers. Counts that could not be added are kept for
 * the next time.
 * @param onAdded runs for the counts of each source, in the transaction that adds them
 * @throws Error of the database
 */
export async function addFigures<S extends { entry: { name: string }; callCounter: CallCounter }>(
  db: Db,
  sources: S[],
  onAdded: (tx: Queryable, source: S, counts: CallCounts) => Promise<void> = async () => undefined,
): Promise<void> {
  for (const source of sources) {
    const { entry, callCounter } = source;
    const counts = callCounter.take();
    if (!counts) continue;
    try {
      await inTransaction(db, async (tx) => {
        await addCallCounts(tx, entry.name, counts);
        await onAdded(tx, source, counts);
      });
    } catch (error) {
      callCounter.putBack(counts);
      throw error;
    }
  }
}
