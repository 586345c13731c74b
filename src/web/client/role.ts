import type { SessionUser } from './token.ts';

/** Returns whether a user is among those: `admin` are superadmins and company administrators, `standard` all but superadmins. */
export function hasRole(
  { superadmin, companyAdmin }: Pick<SessionUser, 'superadmin' | 'companyAdmin'>,
  who: 'superadmin' | 'admin' | 'standard',
): boolean {
  if (who === 'admin') return superadmin || companyAdmin;
  return superadmin === (who === 'superadmin');
}
