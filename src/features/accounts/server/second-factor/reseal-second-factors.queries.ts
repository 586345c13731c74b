import { int8, text } from '#server/db/column-types.ts';
import type { Queryable } from '#server/db/db.ts';
import { statement } from '#server/db/statement.ts';

const findOther = statement({
  text: 'SELECT secret FROM second_factors WHERE NOT secret LIKE ANY ($1::text[]) LIMIT 1',
  row: { secret: text },
});

/** Finds a secret that matches none of these patterns. */
export async function findSealedOtherwise(db: Queryable, patterns: string[]): Promise<string | undefined> {
  return (await findOther.first(db, [patterns]))?.secret;
}

const list = statement({
  text: 'SELECT user_id, secret FROM second_factors WHERE NOT starts_with(secret, $1) FOR UPDATE',
  row: { user_id: int8, secret: text },
});

/** Lists and locks the secrets that do not begin with `mark`. */
export function listUnsealed(tx: Queryable, mark: string) {
  return list.all(tx, [mark]);
}

const update = statement({ text: 'UPDATE second_factors SET secret = $2 WHERE user_id = $1' });

export async function updateSealed(tx: Queryable, userId: number, sealed: string): Promise<void> {
  await update.run(tx, [userId, sealed]);
}
