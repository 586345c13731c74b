import type { SlotUser } from '#server/concurrency/fair-slots.ts';
import type { Db } from '#server/db/db.ts';
import { AppError } from '#server/http/errors/errors.ts';
import { TaskLimitError, ThreadTasks } from '#server/threads/thread-tasks.ts';
import { m } from '#shared/texts/messages.js';
import type { InvoicePaper } from './invoice-document.ts';

/** An invoice of 1,000 tickets takes half of that memory and seconds. */
const limits = { concurrency: 2, deadlineMs: 60_000, heapMb: 384, memoryMb: 512 };

/** The threads that write invoices as PDF, two at a time. */
export const invoicePdfs = new ThreadTasks<InvoicePaper, Uint8Array>(
  'invoice-pdfs',
  new URL('./invoice-pdf.thread.ts', import.meta.url),
  limits,
);

/**
 * Writes an invoice or its credit note.
 * @param signal aborts when the reader disconnects
 * @throws AppError 429 if no slot is free in time, 422 for an invoice of too many tickets
 */
export async function writePdf(
  db: Db,
  paper: InvoicePaper,
  reader: SlotUser,
  signal: AbortSignal,
): Promise<Buffer> {
  const pdf = await invoicePdfs.run(db, paper, reader, signal).catch((error: unknown) => {
    if (!(error instanceof TaskLimitError)) throw error;
    throw new AppError(422, 'invoice_too_long', m.server_invoice_too_long);
  });
  return Buffer.from(pdf);
}
