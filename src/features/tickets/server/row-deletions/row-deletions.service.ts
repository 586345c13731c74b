import { forgetDevicesOf, registerTicket } from '#features/devices/server/devices.service.ts';
import { neverAborts } from '#server/concurrency/never-aborts.ts';
import { Semaphore } from '#server/concurrency/semaphore.ts';
import type { Db } from '#server/db/db.ts';
import type { Context } from '#server/runtime/context.ts';
import type { Log } from '#server/runtime/log.ts';
import {
  deleteDuplicates,
  deleteFinishedRows,
  deleteOriginalChunks,
  deleteOriginalFacts,
  deleteRowDeletion,
  findRowDeletion,
  listRowDeletions,
  markRowDeletion,
  rowChanges,
} from './row-deletions.queries.ts';

export { markRowDeletion };

/** Positions per transaction: about 0.1 s each. */
const positionsAtOnce = 10_000;
/** Blocks of the order of finishing per transaction. */
const blocksAtOnce = 10_000;
/** Chunks of a file per transaction: 8 MB. */
const chunksAtOnce = 32;
/** Deletions at once, so that other work finds the database free. */
const slots = new Semaphore(2);
/** How long a call waits for its turn. */
const maxTurnMs = 5000;
const underWay = new Set<number>();

/** Deletes a ticket's uploaded file in small steps. */
export async function deleteOriginal(db: Db, ticketId: number): Promise<void> {
  // The facts last, because a deletion that was interrupted is found by them.
  while ((await deleteOriginalChunks.run(db, { ticketId, limit: chunksAtOnce })) === chunksAtOnce);
  await deleteOriginalFacts.run(db, { ticketId });
}

/**
 * Deletes the rows that a ticket's flags declare deleted: with `serial_deleted`, the rows without a result and the uploaded
 * file; with `coverage_deleted`, the results; with both, all rows. Invalid cells and duplicates stay for the import report.
 * If the ticket itself is deleted, everything is. The register of devices gets the results first. Uses small transactions and
 * is safe to repeat. The deletion is committed before, so a failure is logged, and the rows stay marked for
 * `resumeRowDeletions`.
 * @param turn when it aborts while other deletions have their turns, the rows stay marked as well
 */
export async function deleteMarkedRows(
  { db, log }: Pick<Context, 'db' | 'log'>,
  ticketId: number,
  turn = AbortSignal.timeout(maxTurnMs),
): Promise<void> {
  const giveBack = await slots.take(turn).catch(() => undefined);
  if (!giveBack) return;
  underWay.add(ticketId);
  try {
    const deletion = await findRowDeletion.first(db, { ticketId });
    if (!deletion) return;
    const { lo, hi, round, ticket_number: number, company_code: companyCode } = deletion;
    if (deletion.change !== 'pending' || deletion.forgets_devices) await registerTicket(db, ticketId);
    if (lo !== null && hi !== null) {
      for (let first = lo; first <= hi; first += positionsAtOnce) {
        const last = Math.min(hi, first + positionsAtOnce - 1);
        await rowChanges[deletion.change].run(db, { ticketId, lo: first, hi: last });
      }
    }
    if (deletion.change !== 'pending')
      while ((await deleteFinishedRows.run(db, { ticketId, limit: blocksAtOnce })) === blocksAtOnce);
    if (deletion.change !== 'results') await deleteOriginal(db, ticketId);
    if (deletion.change === 'ticket') await deleteDuplicates.run(db, { ticketId });
    if (deletion.forgets_devices && number !== null && companyCode !== null) {
      await forgetDevicesOf(db, companyCode, number);
    }
    await deleteRowDeletion.run(db, { ticketId, round });
  } catch (err) {
    log.warn({ err, ticketId }, 'the rows of a ticket could not be deleted yet and will be tried again');
  } finally {
    underWay.delete(ticketId);
    giveBack();
  }
}

/**
 * Finishes every deletion that found no turn, or that a crash or a failing database interrupted.
 * @param signal leaves the remaining deletions for later when it aborts
 */
export async function resumeRowDeletions(db: Db, log: Log, signal = neverAborts): Promise<void> {
  for (const { ticket_id: ticketId } of await listRowDeletions.all(db)) {
    if (signal.aborted) break;
    if (underWay.has(ticketId)) continue;
    await deleteMarkedRows({ db, log }, ticketId, neverAborts);
  }
}
