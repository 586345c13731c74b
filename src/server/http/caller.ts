/** The signed-in user of a request, as the database knows it now. */
export type Caller = {
  id: number;
  email: string;
  name: string;
  superadmin: boolean;
  newUser: boolean;
  /** Null only for a superadmin without a company. */
  companyCode: string | null;
  /** When the session began, in seconds: the token's `iat`. */
  issuedAt: number;
};

/** The company that bounds what the caller may see; null: all companies (a superadmin). */
export function scopeOf(caller: Caller): string | null {
  if (caller.superadmin) return null;
  // A standard user always has a company; the empty code belongs to none.
  return caller.companyCode ?? '';
}

/** The company whose share of limited resources a caller uses; all superadmins together count as one. */
export function shareOf({ superadmin, companyCode }: Pick<Caller, 'superadmin' | 'companyCode'>): string {
  return superadmin ? 'superadmins' : (companyCode ?? '');
}
