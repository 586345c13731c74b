import {
  IconCode,
  IconLogout,
  IconMail,
  IconPencil,
  IconShieldCheck,
  IconShieldOff,
  IconUserCheck,
  IconUserOff,
} from '@tabler/icons-react';
import type { UserEntry } from '#features/accounts/users.contract.ts';
import { m } from '#shared/texts/messages.js';
import { formatInstant } from '#web/format/format.ts';
import layout from '#web/styles/layout.module.css';
import typography from '#web/styles/typography.module.css';
import { StatusBadge } from '#web/ui/badge/status-badge.tsx';
import { actionsColumn } from '#web/ui/table/actions-column.tsx';
import type { Column } from '#web/ui/table/table-column.ts';
import { nameRole, wholeName } from './role-names.ts';

type Actions = Record<
  'edit' | 'tokens' | 'sendLink' | 'signOut' | 'resetFactor' | 'deactivate' | 'reactivate',
  (user: UserEntry) => void
>;

type Reader = { email: string; superadmin: boolean };

/**
 * The columns of the list of users; each row's menu leads to `actions`.
 * @param reader the signed-in user, who cannot deactivate themselves
 */
export function userColumns(actions: Actions, reader: Reader): Column<UserEntry>[] {
  return [
    {
      key: 'name',
      card: 'title',
      header: m.account_register_name,
      kind: 'text',
      width: 160,
      pinned: true,
      cell: (user) => wholeName(user),
    },
    {
      key: 'email',
      card: 'line',
      header: m.account_register_email,
      kind: 'text',
      width: 230,
      cell: ({ email }) => email,
    },
    {
      key: 'role',
      card: 'below',
      header: m.account_register_role,
      kind: 'state',
      width: 170,
      cell: ({ role }) => nameRole(role),
    },
    {
      key: 'company',
      card: 'below',
      header: m.account_register_company,
      kind: 'code',
      cell: ({ company_code }) => <span className={typography.mono}>{company_code ?? '–'}</span>,
    },
    {
      key: 'state',
      card: 'state',
      header: m.account_user_state,
      kind: 'state',
      cell: (user) => <State of={user} />,
    },
    {
      key: 'last',
      card: 'below',
      header: m.account_user_last_login,
      kind: 'instant',
      width: 160,
      cell: ({ last_login }) => (last_login === null ? m.account_user_never() : formatInstant(last_login)),
    },
    actionsColumn(wholeName, (user) => listActions(user, actions, reader)),
  ];
}

function State({ of: { active, second_factor } }: { of: UserEntry }) {
  return (
    <span className={layout.row}>
      {active ? (
        <StatusBadge tone="green" mark="check" text={m.account_user_active()} />
      ) : (
        <StatusBadge tone="grey" mark="minus" text={m.account_user_deactivated()} />
      )}
      {second_factor && (
        <span role="img" title={m.account_user_has_factor()} aria-label={m.account_user_has_factor()}>
          <IconShieldCheck size={16} aria-hidden="true" />
        </span>
      )}
    </span>
  );
}

function listActions(user: UserEntry, actions: Actions, reader: Reader) {
  const inactive = user.active ? null : m.account_user_is_deactivated();
  return [
    { label: m.common_edit(), icon: IconPencil, onSelect: () => actions.edit(user) },
    { label: m.tokens_title(), icon: IconCode, onSelect: () => actions.tokens(user) },
    {
      label: m.account_user_send_link(),
      icon: IconMail,
      reason: inactive,
      onSelect: () => actions.sendLink(user),
    },
    {
      label: m.account_user_sign_out(),
      icon: IconLogout,
      reason: inactive,
      onSelect: () => actions.signOut(user),
    },
    ...(reader.superadmin && user.second_factor && user.email !== reader.email
      ? [
          {
            label: m.account_user_reset_factor(),
            icon: IconShieldOff,
            onSelect: () => actions.resetFactor(user),
          },
        ]
      : []),
    user.active
      ? {
          label: m.account_user_deactivate(),
          icon: IconUserOff,
          danger: true,
          reason: user.email === reader.email ? m.account_user_is_you() : null,
          onSelect: () => actions.deactivate(user),
        }
      : {
          label: m.account_user_reactivate(),
          icon: IconUserCheck,
          onSelect: () => actions.reactivate(user),
        },
  ];
}
