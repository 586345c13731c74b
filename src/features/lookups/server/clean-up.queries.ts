import { bool, notNull } from '#server/db/column-types.ts';
import { statement } from '#server/db/statement.ts';

const cleanUpLock = 0x436f7663;

/** Makes this worker the one that deletes old data, until the transaction ends. @returns false while another one is */
export const lockCleanUp = statement({
  text: `SELECT pg_try_advisory_xact_lock(${cleanUpLock}) AS locked`,
  row: { locked: notNull(bool) },
});
