import { bool, int8, notNull } from '../column-types.ts';
import { statement } from '../statement.ts';

/** Takes a lock until the connection is closed. @returns false while another connection holds it */
export const tryToLock = statement({
  text: 'SELECT pg_try_advisory_lock(:number) AS locked',
  params: { number: int8 },
  row: { locked: notNull(bool) },
});

/** Releases a lock of the connection. */
export const unlock = statement({
  text: 'SELECT pg_advisory_unlock(:number) AS unlocked',
  params: { number: int8 },
  row: { unlocked: notNull(bool) },
});
