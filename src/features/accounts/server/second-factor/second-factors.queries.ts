import { array, bool, bytea, int8, text } from '#server/db/column-types.ts';
import type { Queryable } from '#server/db/db.ts';
import { statement } from '#server/db/statement.ts';

/** Stores the sealed secret of a user's second factor that is being set up, instead of an earlier one. */
export const storeSecret = statement({
  text: `INSERT INTO second_factors (user_id, secret) VALUES (:userId, :sealed)
     ON CONFLICT (user_id) DO UPDATE SET secret = excluded.secret, last_step = 0`,
  params: { userId: int8, sealed: text },
});

/** Locks the sealed secret of a user and the latest used step; undefined when there is none. */
export const lockSecret = statement({
  text: 'SELECT secret, last_step FROM second_factors WHERE user_id = :userId FOR UPDATE',
  params: { userId: int8 },
  row: { secret: text, last_step: int8 },
});

export const noteStep = statement({
  text: 'UPDATE second_factors SET last_step = :step WHERE user_id = :userId',
  params: { userId: int8, step: int8 },
});

/** Sets whether signing in needs a code. @param userId a user locked by `lockUserForChange` */
export const setSecondFactor = statement({
  text: 'UPDATE users SET second_factor = :active WHERE id = :userId',
  params: { userId: int8, active: bool },
});

const deleteSecret = statement({
  text: 'DELETE FROM second_factors WHERE user_id = :userId',
  params: { userId: int8 },
});
const deleteCodes = statement({
  text: 'DELETE FROM recovery_codes WHERE user_id = :userId',
  params: { userId: int8 },
});

export async function deleteSecretOf(tx: Queryable, userId: number): Promise<void> {
  await deleteSecret.run(tx, { userId });
  await deleteCodes.run(tx, { userId });
}

const insertCodes = statement({
  text: 'INSERT INTO recovery_codes (user_id, code_hash) SELECT :userId, unnest(:hashes::bytea[])',
  params: { userId: int8, hashes: array(bytea) },
});

export async function storeRecoveryCodes(tx: Queryable, userId: number, hashes: Buffer[]): Promise<void> {
  await deleteCodes.run(tx, { userId });
  await insertCodes.run(tx, { userId, hashes });
}

const deleteCode = statement({
  text: 'DELETE FROM recovery_codes WHERE user_id = :userId AND code_hash = :hash',
  params: { userId: int8, hash: bytea },
});

/** Uses up a recovery code. @returns whether the user had it */
export async function takeRecoveryCode(tx: Queryable, userId: number, hash: Buffer): Promise<boolean> {
  return (await deleteCode.run(tx, { userId, hash })) === 1;
}

export const countRecoveryCodes = statement({
  text: 'SELECT count(*) FROM recovery_codes WHERE user_id = :userId',
  params: { userId: int8 },
  row: { count: int8 },
});
