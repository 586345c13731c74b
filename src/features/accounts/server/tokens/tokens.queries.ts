import {
  bytea,
  int8,
  listColumns,
  nullable,
  type RowOf,
  text,
  textOf,
  timestamptz,
} from '#server/db/column-types.ts';
import { statement } from '#server/db/statement.ts';
import type { TokenScope } from '../../tokens.contract.ts';

const given = {
  name: text,
  scope: textOf<TokenScope>(),
  created_at: timestamptz,
  expires_at: nullable(timestamptz),
};
const token = { id: int8, ...given, last_used: nullable(timestamptz) };
const columns = listColumns(token);
export type TokenRow = RowOf<typeof token>;

export const findToken = statement({
  name: 'find-api-token',
  text: `SELECT user_id, ${columns} FROM api_tokens
     WHERE token_hash = :tokenHash AND (expires_at IS NULL OR expires_at > :at)`,
  params: { tokenHash: bytea, at: timestamptz },
  row: { user_id: int8, ...token },
});

export const noteTokenUse = statement({
  text: 'UPDATE api_tokens SET last_used = :at WHERE id = :id AND (last_used IS NULL OR last_used < :at)',
  params: { id: int8, at: timestamptz },
});

export const insertToken = statement({
  text: `INSERT INTO api_tokens (user_id, token_hash, name, scope, created_at, expires_at)
     VALUES (:userId, :tokenHash, :name, :scope, :created_at, :expires_at) RETURNING ${columns}`,
  params: { userId: int8, tokenHash: bytea, ...given },
  row: token,
});

export const listTokenPage = statement({
  text: `SELECT ${columns} FROM api_tokens WHERE user_id = :userId ORDER BY id DESC LIMIT :limit OFFSET :offset`,
  params: { userId: int8, limit: int8, offset: int8 },
  row: token,
});

export const countTokens = statement({
  text: 'SELECT count(*) FROM api_tokens WHERE user_id = :userId',
  params: { userId: int8 },
  row: { count: int8 },
});

/** Deletes a token of a user; undefined when there is none. */
export const deleteTokenRow = statement({
  text: `DELETE FROM api_tokens WHERE user_id = :userId AND id = :id RETURNING ${columns}`,
  params: { userId: int8, id: int8 },
  row: token,
});

export const deleteTokensOf = statement({
  text: 'DELETE FROM api_tokens WHERE user_id = :userId',
  params: { userId: int8 },
});
