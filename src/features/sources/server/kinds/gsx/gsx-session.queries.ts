import { bool, bytea, nullable, type RowOf, text, timestamptz, uuid } from '#server/db/column-types.ts';
import type { Queryable } from '#server/db/db.ts';
import { statement } from '#server/db/statement.ts';
import { findVault } from '#server/vault/vault.ts';
import { isHeld } from '../tokens/token-lease.queries.ts';

const session = {
  token: nullable(text),
  /** Whether GSX still accepts it: used within half an hour, or unused and younger than twelve hours. */
  fresh: bool,
  activation_hash: nullable(bytea),
  refused_at: nullable(timestamptz),
  /** Whether a worker holds the lease to replace the token. */
  held: bool,
  /** The database's time, which all workers share. */
  asked_at: timestamptz,
};

/** The stored session of a GSX account. */
export type SessionRow = RowOf<typeof session>;

const find = statement({
  text: `SELECT token, activation_hash, refused_at, clock_timestamp() AS asked_at,
       ${isHeld} AS held,
       COALESCE(used_at > clock_timestamp() - interval '30 minutes',
                created_at > clock_timestamp() - interval '12 hours', false) AS fresh
     FROM (SELECT 1) AS one LEFT JOIN gsx_sessions ON account = :account`,
  params: { account: text },
  row: session,
});

/** Reads an account's session without a lock. All null before the first token. */
export async function findSession(db: Queryable, account: string): Promise<SessionRow> {
  const row = await find.one(db, { account });
  return { ...row, token: row.token === null ? null : findVault().open('token', row.token) };
}

const store = statement({
  text: `INSERT INTO gsx_sessions AS s (account, token, activation_hash, created_at)
     VALUES (:account, :token, :activationHash, clock_timestamp())
     ON CONFLICT (account) DO UPDATE SET token = EXCLUDED.token, created_at = EXCLUDED.created_at, used_at = NULL,
       refused_at = NULL, activation_hash = COALESCE(EXCLUDED.activation_hash, s.activation_hash)
     WHERE s.token IS NOT DISTINCT FROM :instead`,
  params: { account: text, token: text, instead: nullable(text), activationHash: nullable(bytea) },
});

/**
 * Stores a new token, unless the token that it replaces was already replaced. Needs no lease: GSX gives one new token
 * for an old one, so a late token is still the only valid one.
 * @param activationHash the hash of the activation token that was spent for it, else null
 * @returns whether it was stored
 */
export async function storeToken(
  db: Queryable,
  account: string,
  {
    token,
    instead,
    activationHash,
  }: { token: string; instead: string | null; activationHash: Buffer | null },
): Promise<boolean> {
  const seal = (text: string) => findVault().seal('token', text);
  const values = { account, token: seal(token), instead: instead && seal(instead), activationHash };
  return (await store.run(db, values)) === 1;
}

const refuse = statement({
  text: `UPDATE gsx_sessions SET refused_at = clock_timestamp()
     WHERE account = :account AND holder = :holder AND token IS NOT DISTINCT FROM :token`,
  params: { account: text, holder: uuid, token: nullable(text) },
});

/**
 * Stores that GSX refused to replace the token, unless the lease was lost or the token was replaced.
 * @returns whether it was stored
 */
export async function storeRefusal(
  db: Queryable,
  account: string,
  holder: string,
  token: string | null,
): Promise<boolean> {
  return (await refuse.run(db, { account, holder, token: token && findVault().seal('token', token) })) === 1;
}

const touch = statement({
  name: 'touch-gsx-token',
  text: `UPDATE gsx_sessions SET used_at = clock_timestamp()
     WHERE account = :account AND token = :token AND (used_at IS NULL OR used_at < clock_timestamp() - interval '1 minute')`,
  params: { account: text, token: text },
});

/** Stores that a token was used now. Precise to the minute, which saves most writes. */
export async function touchToken(db: Queryable, account: string, token: string): Promise<void> {
  await touch.run(db, { account, token: findVault().seal('token', token) });
}
