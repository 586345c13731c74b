import { deleteOldUploadedRows } from '#features/imports/server/uploaded-rows/uploaded-rows.service.ts';
import { deleteOldResults } from '#features/results/server/results.service.ts';
import { whileLocked } from '#server/db/connection/while-locked.ts';
import { putOff } from '#server/db/due-work.queries.ts';
import type { Context } from '#server/runtime/context.ts';
import { findDaysAgo, listOldTickets } from './retention.queries.ts';

const retentionLock = 0x436f7672;
/** Tickets per step. Their rows are deleted in small transactions, one ticket after the other. */
const ticketsPerStep = 20;

/**
 * Deletes uploaded rows and results of the tickets that ended too long ago, as the calls for it do. Does nothing while
 * another process does so.
 * @param signal when it aborts, the work stops after the current ticket
 * @returns whether there may be more
 */
export async function deleteOldData(context: Context, signal: AbortSignal): Promise<boolean> {
  const { RETENTION_DAYS_UPLOADS: uploadDays, RETENTION_DAYS_RESULTS: resultDays } = context.config;
  if (uploadDays === undefined && resultDays === undefined) return false;
  const more = await whileLocked(context.databaseUrl, retentionLock, async (lockSignal) => {
    const stop = AbortSignal.any([signal, lockSignal]);
    return [
      await deleteStep(context, 'uploads', uploadDays, deleteOldUploadedRows, stop),
      await deleteStep(context, 'results', resultDays, deleteOldResults, stop),
    ];
  });
  return more?.includes(true) ?? false;
}

async function deleteStep(
  context: Context,
  kind: 'uploads' | 'results',
  days: number | undefined,
  remove: typeof deleteOldResults,
  signal: AbortSignal,
): Promise<boolean> {
  if (days === undefined) return false;
  const { db, log } = context;
  const { instant: endedBefore } = await findDaysAgo.one(db, { days });
  const tickets = await listOldTickets[kind].all(db, { endedBefore, limit: ticketsPerStep });
  let deleted = 0;
  for (const { id } of tickets) {
    if (signal.aborted) return false;
    try {
      await remove(context, id, endedBefore);
      deleted += 1;
    } catch (err) {
      // No ticket stops another.
      const { attempts } = await putOff.one(db, { kind: `old ${kind}`, subject: String(id) });
      log.error(
        { err, kind, ticketId: id, attempts },
        'old data could not be deleted and will be tried again',
      );
    }
  }
  if (deleted > 0) log.info({ kind, tickets: deleted, days }, 'old data was deleted');
  return tickets.length === ticketsPerStep;
}
