import { once } from 'node:events';
import type { Readable } from 'node:stream';
import { getTicketInScope } from '#features/tickets/server/tickets.service.ts';
import type { Caller } from '#server/caller.ts';
import type { Context } from '#server/context.ts';
import { Semaphore } from '#server/semaphore.ts';
import { openThreadFile } from '#server/thread-file.ts';
import type { Locale } from '#shared/locale.ts';

/** One report, as it is handed to a thread. */
export type ReportJob = { databaseUrl: string; ticketId: number; locale: Locale };

const script = new URL('./report.thread.ts', import.meta.url);
/** Reports under way at once: each holds a thread and its memory. */
const semaphore = new Semaphore(2);

/**
 * Opens the workbook with every duplicate and invalid cell of an import.
 * @param gone aborts when the caller has gone
 * @returns the stream, its first bytes made, and the file's name
 * @throws AppError 404 for a ticket outside the caller's scope
 */
export async function openReport(
  { db, databaseUrl }: Context,
  caller: Caller,
  ticketNumber: string,
  locale: Locale,
  gone: AbortSignal,
): Promise<{ stream: Readable; fileName: string }> {
  const ticket = await getTicketInScope(db, caller, ticketNumber);
  const giveBack = await semaphore.take(gone);
  const job: ReportJob = { databaseUrl, ticketId: ticket.id, locale };
  const stream = openThreadFile(script, job);
  stream.once('close', giveBack);
  await once(stream, 'readable', { signal: gone }).catch((error: Error) => {
    stream.destroy();
    throw error;
  });
  return { stream, fileName: `import_${ticket.ticket_number}.xlsx` };
}
