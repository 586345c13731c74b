import { bytea, int4, int8, text, timestamptz, type ValuesOf } from '#server/db/column-types.ts';
import type { Queryable } from '#server/db/db.ts';
import { statement } from '#server/db/statement.ts';

const insert = statement({
  text: `INSERT INTO sign_in_challenges (challenge_hash, user_id, created_at, expires_at, sessions_valid_from)
     VALUES (:challengeHash, :userId, :createdAt, :expiresAt, :sessionsValidFrom)`,
  params: {
    challengeHash: bytea,
    userId: int8,
    createdAt: timestamptz,
    expiresAt: timestamptz,
    sessionsValidFrom: int8,
  },
});
const deleteOldest = statement({
  text: `DELETE FROM sign_in_challenges WHERE user_id = :userId AND challenge_hash NOT IN (
       SELECT challenge_hash FROM sign_in_challenges WHERE user_id = :userId AND expires_at > :createdAt
       ORDER BY created_at DESC LIMIT :limit)`,
  params: { userId: int8, createdAt: timestamptz, limit: int8 },
});

/** Stores a challenge by its hash, and deletes the user's expired ones and all but the latest `limit`. */
export async function insertChallenge(
  tx: Queryable,
  newChallenge: ValuesOf<(typeof insert)['params']>,
  limit: number,
): Promise<void> {
  await insert.run(tx, newChallenge);
  await deleteOldest.run(tx, { ...newChallenge, limit });
}

/** Finds the user of a challenge that is open at an instant. */
export const findChallengedUser = statement({
  text: `SELECT c.user_id, u.email FROM sign_in_challenges c JOIN users u ON u.id = c.user_id
     WHERE c.challenge_hash = :challengeHash AND c.expires_at > :at`,
  params: { challengeHash: bytea, at: timestamptz },
  row: { user_id: int8, email: text },
});

/** Locks a challenge that is open at an instant. @returns the `sessions_valid_from` that it was made with */
export const lockChallenge = statement({
  text: 'SELECT sessions_valid_from FROM sign_in_challenges WHERE challenge_hash = :challengeHash AND expires_at > :at FOR UPDATE',
  params: { challengeHash: bytea, at: timestamptz },
  row: { sessions_valid_from: int8 },
});

/** Counts a wrong code. @returns the wrong codes of the challenge so far */
export const countWrongCode = statement({
  text: 'UPDATE sign_in_challenges SET wrong_codes = wrong_codes + 1 WHERE challenge_hash = :challengeHash RETURNING wrong_codes',
  params: { challengeHash: bytea },
  row: { wrong_codes: int4 },
});

export const deleteChallenge = statement({
  text: 'DELETE FROM sign_in_challenges WHERE challenge_hash = :challengeHash',
  params: { challengeHash: bytea },
});
