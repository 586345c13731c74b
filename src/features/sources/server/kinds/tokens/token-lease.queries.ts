import { text, uuid } from '#server/db/column-types.ts';
import type { Queryable } from '#server/db/db.ts';
import { hasCome } from '#server/db/has-come.ts';
import { statement } from '#server/db/statement.ts';

/** The lifetime of a lease in seconds: longer than the 60 s that a token request may take. */
const leaseSeconds = 90;

/** SQL: whether a worker holds the lease on an account's token. */
export const isHeld = `coalesce(NOT ${hasCome('held_until', leaseSeconds)}, false)`;

export type TokenLease = ReturnType<typeof createLease>;

function createLease(table: 'gsx_sessions' | 'apple_tokens') {
  const take = statement({
    text: `INSERT INTO ${table} AS t (account, holder, held_until)
       VALUES (:account, :holder, clock_timestamp() + interval '${leaseSeconds} seconds')
       ON CONFLICT (account) DO UPDATE SET holder = excluded.holder, held_until = excluded.held_until
       WHERE t.held_until IS NULL OR ${hasCome('t.held_until', leaseSeconds)}`,
    params: { account: text, holder: uuid },
  });
  return {
    /** Takes the lease on an account's token. @returns false while another holder has it */
    take: async (db: Queryable, account: string, holder: string) =>
      (await take.run(db, { account, holder })) === 1,
    /** Releases the lease, unless another holder took it over. */
    giveBack: statement({
      text: `UPDATE ${table} SET holder = NULL, held_until = NULL WHERE account = :account AND holder = :holder`,
      params: { account: text, holder: uuid },
    }),
  };
}

export const gsxLease = createLease('gsx_sessions');

export const appleLease = createLease('apple_tokens');
