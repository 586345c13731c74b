import {
  IconActivity,
  IconBuilding,
  IconCalendarDue,
  IconCloudUpload,
  IconDatabase,
  IconDeviceMobile,
  IconFileInvoice,
  IconFiles,
  IconHistory,
  IconHome,
  IconNetwork,
  IconPlugConnected,
  IconReceipt,
  IconRefresh,
  IconServer,
  IconTicket,
  IconUpload,
  IconUserPlus,
  IconUsers,
  IconWebhook,
} from '@tabler/icons-react';
import { m } from '#shared/texts/messages.js';
import { paths } from '#web/address/paths.ts';
import { hasRole } from '#web/client/role.ts';
import type { SessionUser } from '#web/client/token.ts';

export type MenuEntry = {
  path: string;
  label: () => string;
  /** A shorter label for the phone's bottom bar. */
  short?: () => string;
  icon: typeof IconHome;
  /** The role whose menu has it; without it, every menu. */
  role?: 'superadmin' | 'admin' | 'standard';
};

/** The menu in its order, in the groups of superadmins. */
const groups: readonly { heading: () => string; entries: readonly MenuEntry[] }[] = [
  {
    heading: m.common_menu_work,
    entries: [
      { path: paths.home, label: m.common_menu_home, icon: IconHome },
      { path: paths.tickets, label: m.common_menu_tickets, icon: IconTicket, role: 'superadmin' },
      { path: paths.upload, label: m.common_menu_upload, icon: IconUpload, role: 'standard' },
      { path: paths.uploads, label: m.common_menu_uploads, icon: IconFiles, role: 'standard' },
      {
        path: paths.data,
        label: m.common_menu_data,
        short: m.common_menu_data_short,
        icon: IconDatabase,
        role: 'standard',
      },
      { path: paths.tracker, label: m.common_menu_tracker, icon: IconActivity },
      { path: paths.devices, label: m.common_menu_devices, icon: IconDeviceMobile },
      { path: paths.watch, label: m.common_menu_watch, icon: IconCalendarDue },
      { path: paths.rechecks, label: m.common_menu_rechecks, icon: IconRefresh },
    ],
  },
  {
    heading: m.common_menu_customers,
    entries: [
      { path: paths.clients, label: m.common_menu_clients, icon: IconBuilding, role: 'superadmin' },
      { path: paths.users, label: m.common_menu_users, icon: IconUsers, role: 'admin' },
      { path: paths.register, label: m.common_menu_register, icon: IconUserPlus, role: 'superadmin' },
      { path: paths.statements, label: m.common_menu_statements, icon: IconReceipt, role: 'admin' },
      { path: paths.invoices, label: m.common_menu_invoices, icon: IconFileInvoice, role: 'admin' },
    ],
  },
  {
    heading: m.common_menu_system,
    entries: [
      { path: paths.sources, label: m.common_menu_sources, icon: IconPlugConnected, role: 'superadmin' },
      { path: paths.proxies, label: m.common_menu_proxies, icon: IconNetwork, role: 'superadmin' },
      {
        path: paths.uploadProxies,
        label: m.common_menu_upload_proxies,
        icon: IconCloudUpload,
        role: 'superadmin',
      },
      { path: paths.webhooks, label: m.common_menu_webhooks, icon: IconWebhook, role: 'admin' },
      { path: paths.audit, label: m.common_menu_audit, icon: IconHistory, role: 'admin' },
      { path: paths.status, label: m.common_menu_status, icon: IconServer, role: 'superadmin' },
    ],
  },
];

type Role = Pick<SessionUser, 'superadmin' | 'companyAdmin'>;

export function menuOf(user: Role): MenuEntry[] {
  return groups
    .flatMap(({ entries }) => entries)
    .filter(({ role }) => role === undefined || hasRole(user, role));
}

/** Returns the menu of a superadmin in groups with headings, that of other users in one group without. */
export function menuGroupsOf(user: Role): { heading: string; entries: readonly MenuEntry[] }[] {
  if (!user.superadmin) return [{ heading: '', entries: menuOf(user) }];
  const own = new Set(menuOf(user));
  return groups.map(({ heading, entries }) => ({
    heading: heading(),
    entries: entries.filter((entry) => own.has(entry)),
  }));
}

/** Returns the name of the screen at an address for the top bar; empty for an address outside the menu. */
export function nameScreen(user: Role, path: string): string {
  if (path === paths.changePassword) return m.common_menu_change_password();
  if (path === paths.secondFactor) return m.common_menu_second_factor();
  if (path === paths.tokens) return m.common_menu_tokens();
  if (path === paths.notifications) return m.common_menu_notifications();
  return (
    menuOf(user)
      .find((entry) => entry.path === path)
      ?.label() ?? ''
  );
}

export function quickMenuOf(user: Role): MenuEntry[] {
  const wanted: readonly string[] = user.superadmin
    ? [paths.home, paths.tickets, paths.tracker, paths.clients]
    : [paths.home, paths.upload, paths.data, paths.tracker];
  return menuOf(user).filter(({ path }) => wanted.includes(path));
}
