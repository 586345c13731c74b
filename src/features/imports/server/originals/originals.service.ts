import { open } from 'node:fs/promises';
import { deleteOriginal } from '#features/tickets/server/row-deletions/row-deletions.service.ts';
import type { Db, Queryable } from '#server/db/db.ts';
import {
  findOriginal,
  findOriginalChunk,
  insertOriginal,
  insertOriginalChunk,
  listOldOriginals,
} from './originals.queries.ts';

export { findOriginal };

const chunkBytes = 256 * 1024; // small statements, little memory
const ticketsPerStep = 10;

/** The facts about an uploaded sheet that its download needs. */
export type ReadSheet = {
  /** The part of the .xlsx file that was read; null for an .xls file, of which only this fact is stored. */
  sheetPart: string | null;
  /** Whether the .xlsx file has macros. Such a file is not kept, so that nobody gets a program from the product. */
  hasMacros: boolean;
  /** The sheet's row with the skipped header. */
  headerRow: number | null;
  /** The own columns that the sheet has. */
  fieldKeys: string[];
};

/** Stores an uploaded file chunk by chunk, in the transaction of its import. */
export async function storeOriginal(
  tx: Queryable,
  ticketId: number,
  path: string,
  { sheetPart, hasMacros, headerRow, fieldKeys }: ReadSheet,
): Promise<void> {
  await insertOriginal.run(tx, { ticketId, sheetPart, headerRow, hasMacros, fieldKeys });
  if (sheetPart === null || hasMacros) return;
  const file = await open(path);
  try {
    const buffer = Buffer.allocUnsafe(chunkBytes);
    for (let nth = 0; ; nth++) {
      const { bytesRead } = await file.read(buffer, 0, chunkBytes, nth * chunkBytes);
      if (bytesRead === 0) return;
      await insertOriginalChunk.run(tx, { ticketId, nth, bytes: buffer.subarray(0, bytesRead) });
    }
  } finally {
    await file.close();
  }
}

/** Reads a ticket's uploaded file chunk by chunk; nothing once it is deleted. */
export async function* readOriginal(db: Queryable, ticketId: number): AsyncGenerator<Buffer> {
  for (let nth = 0; ; nth++) {
    const chunk = (await findOriginalChunk.first(db, { ticketId, nth }))?.bytes;
    if (!chunk) return;
    yield chunk;
  }
}

/**
 * Deletes some of the files that are kept for more than so many days.
 * @returns whether there may be more
 */
export async function deleteOldOriginals(db: Db, days: number): Promise<boolean> {
  const tickets = (await listOldOriginals.all(db, { days, limit: ticketsPerStep })).map(
    ({ ticket_id }) => ticket_id,
  );
  for (const ticketId of tickets) await deleteOriginal(db, ticketId);
  return tickets.length === ticketsPerStep;
}
