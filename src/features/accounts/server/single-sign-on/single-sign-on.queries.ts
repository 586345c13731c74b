import { int8 } from '#server/db/column-types.ts';
import type { Queryable } from '#server/db/db.ts';
import { statement } from '#server/db/statement.ts';

const deleteExpired = statement({ text: 'DELETE FROM single_sign_on_codes WHERE expires_at <= $1' });
const insert = statement({
  text: `INSERT INTO single_sign_on_codes (code_hash, user_id, expires_at, sessions_valid_from)
     VALUES ($1, $2, $3, $4)`,
});

export type NewSsoCode = { codeHash: Buffer; userId: number; expiresAt: Date; sessionsValidFrom: number };

export async function insertSsoCode(tx: Queryable, made: NewSsoCode, now: Date): Promise<void> {
  await deleteExpired.run(tx, [now]);
  await insert.run(tx, [made.codeHash, made.userId, made.expiresAt, made.sessionsValidFrom]);
}

/** Uses up a one-time code; undefined when it is unknown, used or expired. */
export const takeSsoCode = statement({
  text: `DELETE FROM single_sign_on_codes WHERE code_hash = $1 AND expires_at > $2
     RETURNING user_id, sessions_valid_from`,
  row: { user_id: int8, sessions_valid_from: int8 },
}).firstWith<[codeHash: Buffer, at: Date]>();
