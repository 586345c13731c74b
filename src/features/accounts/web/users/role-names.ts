import type { UserEntry } from '#features/accounts/users.contract.ts';
import { m } from '#shared/texts/messages.js';

const names: Record<UserEntry['role'], () => string> = {
  superadmin: m.common_role_superadmin,
  'company-admin': m.common_role_company_admin,
  user: m.common_role_user,
};

export const nameRole = (role: UserEntry['role']) => names[role]();

export const listRoles = () =>
  Object.entries(names)
    .reverse()
    .map(([value, name]) => ({ value, label: name() }));

export const wholeName = ({ first_name, last_name }: Pick<UserEntry, 'first_name' | 'last_name'>) =>
  `${first_name} ${last_name}`.trim();
