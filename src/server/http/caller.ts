import type { Role } from '#shared/role.ts';

/** The signed-in user of a request, as stored in the database at its start. */
export type Caller = {
  id: number;
  email: string;
  name: string;
  role: Role;
  superadmin: boolean;
  newUser: boolean;
  /** Whether the role must have a second factor, and the user has not set it up. */
  secondFactorDue: boolean;
  /** Null only for a superadmin without a company. */
  companyCode: string | null;
  /** The start of the session, or of the API token: epoch seconds. */
  issuedAt: number;
  /** Whether an identity provider signed the user in, which counts as a second factor. */
  bySingleSignOn?: boolean;
  /** The API token by which a program calls; absent in the session of a person. */
  apiToken?: { id: number; name: string; scope: 'read' | 'write' };
};

/** Returns the company whose data the caller may see; null for all companies (superadmins). */
export function scopeOf(caller: Caller): string | null {
  if (caller.superadmin) return null;
  // A standard user always has a company. No company has the empty code.
  return caller.companyCode ?? '';
}

/**
 * Narrows a filter to what the caller may see.
 * @param companyCode the company that the caller asks for; undefined for all
 * @returns null for all companies; the empty code, which no company has, for one outside the caller's scope
 */
export function narrowToScope(caller: Caller, companyCode: string | undefined): string | null {
  const scope = scopeOf(caller);
  if (scope === null) return companyCode ?? null;
  return companyCode === undefined || companyCode === scope ? scope : '';
}

/** Returns the company whose share of limited resources the caller uses. All superadmins share one. */
export function shareOf({ superadmin, companyCode }: Pick<Caller, 'superadmin' | 'companyCode'>): string {
  return superadmin ? 'superadmins' : (companyCode ?? '');
}
