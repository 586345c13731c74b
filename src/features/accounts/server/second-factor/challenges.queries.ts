import { int4, int8, text } from '#server/db/column-types.ts';
import type { Queryable } from '#server/db/db.ts';
import { statement } from '#server/db/statement.ts';

const insert = statement({
  text: `INSERT INTO sign_in_challenges (challenge_hash, user_id, created_at, expires_at, sessions_valid_from)
     VALUES ($1, $2, $3, $4, $5)`,
});
const deleteOldest = statement({
  text: `DELETE FROM sign_in_challenges WHERE user_id = $1 AND challenge_hash NOT IN (
       SELECT challenge_hash FROM sign_in_challenges WHERE user_id = $1 AND expires_at > $2
       ORDER BY created_at DESC LIMIT $3)`,
});

export type NewChallenge = {
  challengeHash: Buffer;
  userId: number;
  createdAt: Date;
  expiresAt: Date;
  sessionsValidFrom: number;
};

/** Stores a challenge by its hash, and deletes the user's expired ones and all but the latest `limit`. */
export async function insertChallenge(tx: Queryable, made: NewChallenge, limit: number): Promise<void> {
  const { challengeHash, userId, createdAt, expiresAt, sessionsValidFrom } = made;
  await insert.run(tx, [challengeHash, userId, createdAt, expiresAt, sessionsValidFrom]);
  await deleteOldest.run(tx, [userId, createdAt, limit]);
}

/** Finds the user of a challenge that is open at an instant. */
export const findChallengedUser = statement({
  text: `SELECT c.user_id, u.email FROM sign_in_challenges c JOIN users u ON u.id = c.user_id
     WHERE c.challenge_hash = $1 AND c.expires_at > $2`,
  row: { user_id: int8, email: text },
}).firstWith<[challengeHash: Buffer, at: Date]>();

/** Locks a challenge that is open at an instant. @returns the `sessions_valid_from` that it was made with */
export const lockChallenge = statement({
  text: 'SELECT sessions_valid_from FROM sign_in_challenges WHERE challenge_hash = $1 AND expires_at > $2 FOR UPDATE',
  row: { sessions_valid_from: int8 },
}).firstValueWith<[challengeHash: Buffer, at: Date]>();

/** Counts a wrong code. @returns the wrong codes of the challenge so far */
export const countWrongCode = statement({
  text: 'UPDATE sign_in_challenges SET wrong_codes = wrong_codes + 1 WHERE challenge_hash = $1 RETURNING wrong_codes',
  row: { wrong_codes: int4 },
}).valueWith<[challengeHash: Buffer]>();

export const deleteChallenge = statement({
  text: 'DELETE FROM sign_in_challenges WHERE challenge_hash = $1',
}).runWith<[challengeHash: Buffer]>();
