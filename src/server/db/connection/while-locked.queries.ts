import { bool, notNull } from '../column-types.ts';
import type { Queryable } from '../db.ts';
import { statement } from '../statement.ts';

const lock = statement({
  text: 'SELECT pg_try_advisory_lock($1) AS locked',
  row: { locked: notNull(bool) },
});

/** Takes a lock until the connection is closed. @returns false while another connection holds it */
export async function tryToLock(db: Queryable, number: number): Promise<boolean> {
  return (await lock.one(db, [number])).locked;
}
