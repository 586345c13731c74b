import { int8, nullable, text, textOf } from '#server/db/column-types.ts';
import { statement } from '#server/db/statement.ts';
import type { Role } from '#shared/role.ts';

/**
 * Locks a user against another password, role, company or state until the transaction ends. Calls of one user share the
 * lock.
 * @param issuedAt the start of the session in epoch seconds; null for an API token
 * @returns 1 if the user still has these rights, otherwise 0
 */
export const lockRights = statement({
  text: `SELECT FROM users WHERE id = :id AND active AND role = :role AND company_code IS NOT DISTINCT FROM :companyCode
       AND sessions_valid_from <= coalesce(:issuedAt, sessions_valid_from) FOR SHARE`,
  params: { id: int8, role: textOf<Role>(), companyCode: nullable(text), issuedAt: nullable(int8) },
});

/** Locks an API token against deletion until the transaction ends. @returns 1 if it exists, otherwise 0 */
export const lockToken = statement({
  text: 'SELECT FROM api_tokens WHERE id = :id FOR KEY SHARE',
  params: { id: int8 },
});
