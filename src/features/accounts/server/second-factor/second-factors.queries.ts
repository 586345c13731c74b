import { int8, text } from '#server/db/column-types.ts';
import type { Queryable } from '#server/db/db.ts';
import { statement } from '#server/db/statement.ts';

/** Stores the sealed secret of a user's second factor that is being set up, instead of an earlier one. */
export const storeSecret = statement({
  text: `INSERT INTO second_factors (user_id, secret) VALUES ($1, $2)
     ON CONFLICT (user_id) DO UPDATE SET secret = excluded.secret, last_step = 0`,
}).runWith<[userId: number, sealed: string]>();

/** Locks the sealed secret of a user and the latest used step; undefined when there is none. */
export const lockSecret = statement({
  text: 'SELECT secret, last_step FROM second_factors WHERE user_id = $1 FOR UPDATE',
  row: { secret: text, last_step: int8 },
}).firstWith<[userId: number]>();

export const noteStep = statement({
  text: 'UPDATE second_factors SET last_step = $2 WHERE user_id = $1',
}).runWith<[userId: number, step: number]>();

/** Sets whether signing in needs a code. @param userId a user locked by `lockUserForChange` */
export const setSecondFactor = statement({
  text: 'UPDATE users SET second_factor = $2 WHERE id = $1',
}).runWith<[userId: number, active: boolean]>();

const deleteSecret = statement({ text: 'DELETE FROM second_factors WHERE user_id = $1' });
const deleteCodes = statement({ text: 'DELETE FROM recovery_codes WHERE user_id = $1' });

export async function deleteSecretOf(tx: Queryable, userId: number): Promise<void> {
  await deleteSecret.run(tx, [userId]);
  await deleteCodes.run(tx, [userId]);
}

const insertCodes = statement({
  text: 'INSERT INTO recovery_codes (user_id, code_hash) SELECT $1, unnest($2::bytea[])',
});

export async function storeRecoveryCodes(tx: Queryable, userId: number, hashes: Buffer[]): Promise<void> {
  await deleteCodes.run(tx, [userId]);
  await insertCodes.run(tx, [userId, hashes]);
}

const deleteCode = statement({ text: 'DELETE FROM recovery_codes WHERE user_id = $1 AND code_hash = $2' });

/** Uses up a recovery code. @returns whether the user had it */
export async function takeRecoveryCode(tx: Queryable, userId: number, hash: Buffer): Promise<boolean> {
  return (await deleteCode.run(tx, [userId, hash])) === 1;
}

export const countRecoveryCodes = statement({
  text: 'SELECT count(*) FROM recovery_codes WHERE user_id = $1',
  row: { count: int8 },
}).valueWith<[userId: number]>();
