import { m } from '#shared/texts/messages.js';
import { paths } from '#web/address/paths.ts';
import { hasRole } from '#web/client/role.ts';
import type { SessionUser } from '#web/client/token.ts';

type Action = { path: string; label: () => string; role?: 'superadmin' | 'standard' };

/** The most frequent tasks, each with the place where it begins. */
const actions: readonly Action[] = [
  { path: paths.upload, label: m.search_upload, role: 'standard' },
  { path: paths.data, label: m.search_download, role: 'standard' },
  {
    path: paths.devicesOf('ends_within=90&sort=coverage_end_date'),
    label: m.search_ending,
  },
  { path: paths.rechecks, label: m.search_recheck },
  { path: paths.figureOf('failed'), label: m.search_failed_rows },
  { path: paths.createIn(paths.tickets), label: m.tickets_create, role: 'superadmin' },
  { path: paths.createIn(paths.clients), label: m.clients_add, role: 'superadmin' },
  { path: paths.register, label: m.search_add_user, role: 'superadmin' },
  { path: paths.createIn(paths.invoices), label: m.search_create_invoice, role: 'superadmin' },
  { path: paths.createIn(paths.tokens), label: m.search_create_token },
];

/** Returns the frequent tasks of a role. */
export function actionsOf(user: Pick<SessionUser, 'superadmin' | 'companyAdmin'>): readonly Action[] {
  return actions.filter(({ role }) => role === undefined || hasRole(user, role));
}
