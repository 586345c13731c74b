import { isPassingFailure } from '#server/db/connection/connection.ts';
import { type Db, inTransaction } from '#server/db/db.ts';
import { addCallCounts } from './call-counts.queries.ts';
import type { CallCounter } from './call-counts.ts';

/**
 * Adds what this worker has counted to everybody's figures, source by source. What surely was not added is kept for the
 * next time; what may have been added, since only the answer was lost, is not, so that no call counts twice.
 * @throws the last refusal, when every source had its turn; at once when the database cannot be asked
 */
export async function addFigures(
  pool: Db,
  sources: { entry: { name: string }; callCounter: CallCounter }[],
): Promise<void> {
  let failure: unknown;
  for (const { entry, callCounter } of sources) {
    const counts = callCounter.take();
    if (!counts) continue;
    let mayBeAdded = false;
    try {
      await inTransaction(pool, async (tx) => {
        await addCallCounts(tx, entry.name, counts);
        mayBeAdded = true;
      });
    } catch (error) {
      if (!mayBeAdded) callCounter.putBack(counts);
      if (isPassingFailure(error as Error)) throw error;
      failure = error;
    }
  }
  if (failure) throw failure;
}
