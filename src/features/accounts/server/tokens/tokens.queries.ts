import {
  int8,
  listColumns,
  nullable,
  type RowOf,
  text,
  textOf,
  timestamptz,
} from '#server/db/column-types.ts';
import type { Queryable } from '#server/db/db.ts';
import { statement } from '#server/db/statement.ts';
import type { TokenScope } from '../../tokens.contract.ts';

const token = {
  id: int8,
  name: text,
  scope: textOf<TokenScope>(),
  created_at: timestamptz,
  expires_at: nullable(timestamptz),
  last_used: nullable(timestamptz),
};
const columns = listColumns(token);
export type TokenRow = RowOf<typeof token>;

export const findToken = statement({
  name: 'find-api-token',
  text: `SELECT user_id, ${columns} FROM api_tokens
     WHERE token_hash = $1 AND (expires_at IS NULL OR expires_at > $2)`,
  row: { user_id: int8, ...token },
}).firstWith<[tokenHash: Buffer, at: Date]>();

export const noteTokenUse = statement({
  text: 'UPDATE api_tokens SET last_used = $2 WHERE id = $1 AND (last_used IS NULL OR last_used < $2)',
}).runWith<[id: number, at: Date]>();

const insert = statement({
  text: `INSERT INTO api_tokens (user_id, token_hash, name, scope, created_at, expires_at)
     VALUES ($1, $2, $3, $4, $5, $6) RETURNING ${columns}`,
  row: token,
});

export type NewToken = Pick<TokenRow, 'name' | 'scope' | 'created_at' | 'expires_at'> & { tokenHash: Buffer };

export function insertToken(tx: Queryable, userId: number, made: NewToken): Promise<TokenRow> {
  return insert.one(tx, [userId, made.tokenHash, made.name, made.scope, made.created_at, made.expires_at]);
}

export const listTokenPage = statement({
  text: `SELECT ${columns} FROM api_tokens WHERE user_id = $1 ORDER BY id DESC LIMIT $2 OFFSET $3`,
  row: token,
}).allWith<[userId: number, limit: number, offset: number]>();

export const countTokens = statement({
  text: 'SELECT count(*) FROM api_tokens WHERE user_id = $1',
  row: { count: int8 },
}).valueWith<[userId: number]>();

/** Deletes a token of a user; undefined when there is none. */
export const deleteTokenRow = statement({
  text: `DELETE FROM api_tokens WHERE user_id = $1 AND id = $2 RETURNING ${columns}`,
  row: token,
}).firstWith<[userId: number, id: number]>();

export const deleteTokensOf = statement({ text: 'DELETE FROM api_tokens WHERE user_id = $1' }).runWith<
  [userId: number]
>();
