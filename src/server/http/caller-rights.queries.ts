import { statement } from '#server/db/statement.ts';
import type { Role } from '#shared/role.ts';

/**
 * Locks a user against another password, role, company or state until the transaction ends. Calls of one user share the
 * lock.
 * @param issuedAt the start of the session in epoch seconds; null for an API token
 * @returns 1 if the user still has these rights, otherwise 0
 */
export const lockRights = statement({
  text: `SELECT FROM users WHERE id = $1 AND active AND role = $2 AND company_code IS NOT DISTINCT FROM $3
       AND sessions_valid_from <= coalesce($4, sessions_valid_from) FOR SHARE`,
}).runWith<[id: number, role: Role, companyCode: string | null, issuedAt: number | null]>();

/** Locks an API token against deletion until the transaction ends. @returns 1 if it exists, otherwise 0 */
export const lockToken = statement({
  text: 'SELECT FROM api_tokens WHERE id = $1 FOR KEY SHARE',
}).runWith<[id: number]>();
