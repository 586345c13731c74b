import { int8, text } from '#server/db/column-types.ts';
import type { Queryable } from '#server/db/db.ts';
import { statement } from '#server/db/statement.ts';

const findOther = statement({
  text: 'SELECT secret FROM webhooks WHERE NOT secret LIKE ANY ($1::text[]) LIMIT 1',
  row: { secret: text },
});

/** Finds a webhook's secret that matches none of these patterns. */
export async function findSealedOtherwise(db: Queryable, patterns: string[]): Promise<string | undefined> {
  return (await findOther.first(db, [patterns]))?.secret;
}

const list = statement({
  text: 'SELECT id, secret FROM webhooks WHERE NOT starts_with(secret, $1) FOR UPDATE',
  row: { id: int8, secret: text },
});

/** Lists and locks the secrets of webhooks that do not begin with `mark`. */
export function listUnsealed(tx: Queryable, mark: string) {
  return list.all(tx, [mark]);
}

const update = statement({ text: 'UPDATE webhooks SET secret = $2 WHERE id = $1' });

export async function updateSealed(tx: Queryable, id: number, sealed: string): Promise<void> {
  await update.run(tx, [id, sealed]);
}
