import { bool, int4, int8, nullable, text, textOf } from '#server/db/column-types.ts';
import { statement } from '#server/db/statement.ts';
import { clearedResult } from '../tickets.queries.ts';

/**
 * Notes that rows of a ticket have to be deleted, in the transaction that sets `serial_deleted` or `coverage_deleted` or
 * deletes the ticket. Call `deleteMarkedRows` after the commit; after a crash, the next start does it.
 * @param forgetsDevices also forgets the devices that no other ticket of the company had
 */
export const markRowDeletion = statement({
  text: `INSERT INTO row_deletions AS d (ticket_id, ticket_number, company_code, forgets_devices)
     SELECT id, ticket_number, company_code, :forgetsDevices FROM tickets WHERE id = :ticketId
     ON CONFLICT (ticket_id) DO UPDATE SET round = d.round + 1, forgets_devices = d.forgets_devices OR excluded.forgets_devices`,
  params: { ticketId: int8, forgetsDevices: bool },
});

/** Lists the deletions that are not finished, in turns of companies. */
export const listRowDeletions = statement({
  text: `SELECT ticket_id FROM row_deletions
     ORDER BY row_number() OVER (PARTITION BY company_code ORDER BY ticket_id), ticket_id`,
  row: { ticket_id: int8 },
});

const inRange = 'ticket_id = :ticketId AND position BETWEEN :lo AND :hi';
const changeRange = (text: string) => statement({ text, params: { ticketId: int8, lo: int4, hi: int4 } });

/**
 * The statements that delete rows of a ticket from position `lo` to `hi`, both included. `ticket`: all rows. `rows`: all but
 * invalid cells. `pending`: rows without a result. `results`: the results, so that rows are as they were uploaded.
 */
export const rowChanges = {
  ticket: changeRange(`DELETE FROM serials WHERE ${inRange}`),
  rows: changeRange(`DELETE FROM serials WHERE ${inRange} AND kind IS NOT NULL`),
  pending: changeRange(`DELETE FROM serials WHERE ${inRange} AND state = 'pending'`),
  results: changeRange(
    `UPDATE serials SET ${clearedResult} WHERE ${inRange} AND state <> 'pending' AND kind IS NOT NULL`,
  ),
};

/** Finds the marked deletion of a ticket; undefined without one. */
export const findRowDeletion = statement({
  text: `SELECT d.round, d.forgets_devices, d.ticket_number, d.company_code,
       CASE WHEN t.id IS NULL THEN 'ticket' WHEN NOT t.coverage_deleted THEN 'pending'
         WHEN NOT t.serial_deleted THEN 'results' ELSE 'rows' END AS change,
       (SELECT min(position) FROM serials WHERE ticket_id = d.ticket_id) AS lo,
       (SELECT max(position) FROM serials WHERE ticket_id = d.ticket_id) AS hi
     FROM row_deletions d LEFT JOIN tickets t ON t.id = d.ticket_id WHERE d.ticket_id = :ticketId`,
  params: { ticketId: int8 },
  row: {
    round: int4,
    forgets_devices: bool,
    ticket_number: nullable(int8),
    company_code: nullable(text),
    change: textOf<keyof typeof rowChanges>(),
    /** The lowest and highest position; null without rows. */
    lo: nullable(int4),
    hi: nullable(int4),
  },
});

export const deleteDuplicates = statement({
  text: 'DELETE FROM duplicates WHERE ticket_id = :ticketId',
  params: { ticketId: int8 },
});

/** Deletes up to `limit` chunks of a ticket's uploaded file. @returns the number of deleted chunks */
export const deleteOriginalChunks = statement({
  text: `DELETE FROM original_chunks WHERE ticket_id = :ticketId
     AND nth = ANY (ARRAY(SELECT nth FROM original_chunks WHERE ticket_id = :ticketId LIMIT :limit))`,
  params: { ticketId: int8, limit: int8 },
});

export const deleteOriginalFacts = statement({
  text: 'DELETE FROM originals WHERE ticket_id = :ticketId',
  params: { ticketId: int8 },
});

/** Deletes up to `limit` blocks of a ticket's order of finishing. @returns the number of deleted blocks */
export const deleteFinishedRows = statement({
  text: `DELETE FROM finished_rows WHERE ticket_id = :ticketId
     AND last_place = ANY (ARRAY(SELECT last_place FROM finished_rows WHERE ticket_id = :ticketId ORDER BY last_place LIMIT :limit))`,
  params: { ticketId: int8, limit: int8 },
});

/** Ends a deletion, unless it was marked again since it was found. */
export const deleteRowDeletion = statement({
  text: 'DELETE FROM row_deletions WHERE ticket_id = :ticketId AND round = :round',
  params: { ticketId: int8, round: int4 },
});
