import { bytea, int8, timestamptz } from '#server/db/column-types.ts';
import type { Queryable } from '#server/db/db.ts';
import { statement } from '#server/db/statement.ts';

const deleteExpired = statement({
  text: 'DELETE FROM single_sign_on_codes WHERE expires_at <= :now',
  params: { now: timestamptz },
});
const insert = statement({
  text: `INSERT INTO single_sign_on_codes (code_hash, user_id, expires_at, sessions_valid_from)
     VALUES (:codeHash, :userId, :expiresAt, :sessionsValidFrom)`,
  params: { codeHash: bytea, userId: int8, expiresAt: timestamptz, sessionsValidFrom: int8 },
});

export type NewSsoCode = { codeHash: Buffer; userId: number; expiresAt: Date; sessionsValidFrom: number };

export async function insertSsoCode(tx: Queryable, code: NewSsoCode, now: Date): Promise<void> {
  await deleteExpired.run(tx, { now });
  await insert.run(tx, code);
}

/** Uses up a one-time code; undefined when it is unknown, used or expired. */
export const takeSsoCode = statement({
  text: `DELETE FROM single_sign_on_codes WHERE code_hash = :codeHash AND expires_at > :at
     RETURNING user_id, sessions_valid_from`,
  params: { codeHash: bytea, at: timestamptz },
  row: { user_id: int8, sessions_valid_from: int8 },
});
