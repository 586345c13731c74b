import { m } from '#shared/texts/messages.js';
import type { SessionUser } from './token.ts';

/** Returns whether a user has a role: `admin` are superadmins and company administrators, `standard` all but superadmins. */
export function hasRole(
  { superadmin, companyAdmin }: Pick<SessionUser, 'superadmin' | 'companyAdmin'>,
  who: 'superadmin' | 'admin' | 'standard',
): boolean {
  if (who === 'admin') return superadmin || companyAdmin;
  return superadmin === (who === 'superadmin');
}

/** Returns the displayed name of a user's role. */
export function nameRoleOf({
  superadmin,
  companyAdmin,
}: Pick<SessionUser, 'superadmin' | 'companyAdmin'>): string {
  if (superadmin) return m.common_role_superadmin();
  return companyAdmin ? m.common_role_company_admin() : m.common_role_user();
}
