import { text } from '#server/db/column-types.ts';
import type { Queryable } from '#server/db/db.ts';
import { statement } from '#server/db/statement.ts';

const row = { company_code: text, secret: text };

const findOther = statement({
  text: 'SELECT secret FROM watches WHERE NOT secret LIKE ANY ($1::text[]) LIMIT 1',
  row: { secret: text },
});

/** Finds a calendar's secret that matches none of these patterns. */
export async function findSealedOtherwise(db: Queryable, patterns: string[]): Promise<string | undefined> {
  return (await findOther.first(db, [patterns]))?.secret;
}

const list = statement({
  text: 'SELECT company_code, secret FROM watches WHERE NOT starts_with(secret, $1) FOR UPDATE',
  row,
});

/** Lists and locks the secrets of calendars that do not begin with `mark`. */
export function listUnsealed(tx: Queryable, mark: string) {
  return list.all(tx, [mark]);
}

const update = statement({ text: 'UPDATE watches SET secret = $2 WHERE company_code = $1' });

export async function updateSealed(tx: Queryable, companyCode: string, sealed: string): Promise<void> {
  await update.run(tx, [companyCode, sealed]);
}
