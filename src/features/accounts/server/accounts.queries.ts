import type { Kysely } from 'kysely';
import type { Caller } from '#server/caller.ts';
import type { Schema } from '#server/schema.ts';

/** The user behind a token, and the second before which its tokens are no longer believed. */
export async function findCaller(
  db: Kysely<Schema>,
  id: number,
): Promise<{ caller: Caller; sessionsValidFrom: number } | undefined> {
  const row = await db
    .selectFrom('users')
    .select(['id', 'email', 'name', 'superadmin', 'new_user', 'company_code', 'sessions_valid_from'])
    .where('id', '=', id)
    .executeTakeFirst();
  if (!row) return undefined;
  return {
    caller: {
      id: row.id,
      email: row.email,
      name: row.name,
      superadmin: row.superadmin,
      newUser: row.new_user,
      companyCode: row.company_code,
    },
    sessionsValidFrom: row.sessions_valid_from,
  };
}
