import { bool, notNull } from '#server/db/column-types.ts';
import type { Queryable } from '#server/db/db.ts';
import { statement } from '#server/db/statement.ts';

const cleanUpLock = 0x436f7663;

const lock = statement({
  text: 'SELECT pg_try_advisory_xact_lock($1) AS locked',
  row: { locked: notNull(bool) },
});

/** Makes this worker the one that deletes old data, until the transaction ends. @returns false while another one is */
export async function lockCleanUp(tx: Queryable): Promise<boolean> {
  return (await lock.one(tx, [cleanUpLock])).locked;
}
