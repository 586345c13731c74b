import { notNull, type RowOf, text } from '#server/db/column-types.ts';
import type { Queryable } from '#server/db/db.ts';
import { statement } from '#server/db/statement.ts';

const row = { account: text, token: notNull(text) };

export type StoredToken = RowOf<typeof row>;

const listOf = (table: 'gsx_sessions' | 'apple_tokens') =>
  statement({
    text: `SELECT account, token FROM ${table} WHERE token IS NOT NULL AND NOT starts_with(token, $1) FOR UPDATE`,
    row,
  });
const findSealedOf = (table: 'gsx_sessions' | 'apple_tokens') =>
  statement({
    text: `SELECT token FROM ${table} WHERE starts_with(token, 'sealed.') AND NOT token LIKE ANY ($1::text[]) LIMIT 1`,
    row: { token: notNull(text) },
  });
const updateOf = (table: 'gsx_sessions' | 'apple_tokens') =>
  statement({ text: `UPDATE ${table} SET token = $2 WHERE account = $1` });

/** The tables with tokens, and their statements for tokens in clear text or sealed with another key. */
export const tokenTables = [
  { list: listOf('gsx_sessions'), find: findSealedOf('gsx_sessions'), update: updateOf('gsx_sessions') },
  { list: listOf('apple_tokens'), find: findSealedOf('apple_tokens'), update: updateOf('apple_tokens') },
].map(({ list, find, update }) => ({
  /** Finds a sealed token that matches none of these patterns. */
  findSealedOtherwise: async (db: Queryable, patterns: string[]): Promise<string | undefined> =>
    (await find.first(db, [patterns]))?.token,
  listUnsealed: (tx: Queryable, mark: string): Promise<StoredToken[]> => list.all(tx, [mark]),
  update: async (tx: Queryable, { account, token }: StoredToken): Promise<void> => {
    await update.run(tx, [account, token]);
  },
}));
