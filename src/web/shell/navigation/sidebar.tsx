import {
  IconBell,
  IconChevronDown,
  IconCode,
  IconKey,
  IconKeyboard,
  IconLogout,
  IconShieldLock,
} from '@tabler/icons-react';
import { type ReactNode, useId, useState } from 'react';
import { useLocation, useNavigate } from 'react-router';
import { m } from '#shared/texts/messages.js';
import { onlyPathOf, paths } from '#web/address/paths.ts';
import { nameRoleOf } from '#web/client/role.ts';
import { useUser } from '#web/client/session.ts';
import typography from '#web/styles/typography.module.css';
import { menuGroupsOf } from './menu.ts';
import { SideButton, SideLink } from './side-link.tsx';
import styles from './sidebar.module.css';

type Props = {
  collapsed: boolean;
  onNavigate?: () => void;
  onHelp: () => void;
};

/** The signed-in user, the menu of their role, Change Password and Logout. Collapsed, it keeps icons with names. */
export function Sidebar({ collapsed, onNavigate, onHelp }: Props) {
  const user = useUser();
  const onlyPath = onlyPathOf(user);
  const navigate = useNavigate();
  const id = useId();
  const reason =
    onlyPath === paths.changePassword ? m.common_menu_held_password() : m.common_menu_held_factor();
  const link = (path: string, text: string, icon: typeof IconKey) => (
    <SideLink
      path={path}
      text={text}
      icon={icon}
      collapsed={collapsed}
      disabledBecause={onlyPath === null || path === onlyPath ? null : reason}
      onNavigate={onNavigate}
    />
  );

  return (
    <div className={collapsed ? `${styles.sidebar} ${styles.collapsed}` : styles.sidebar}>
      <Account collapsed={collapsed}>
        {link(paths.tokens, m.common_menu_tokens(), IconCode)}
        {link(paths.notifications, m.common_menu_notifications(), IconBell)}
        {link(paths.secondFactor, m.common_menu_second_factor(), IconShieldLock)}
        <SideButton text={m.common_shortcuts()} icon={IconKeyboard} collapsed={collapsed} onClick={onHelp} />
      </Account>
      <nav aria-label={m.common_menu()}>
        {onlyPath !== null && <p className={collapsed ? typography.srOnly : styles.sideHeld}>{reason}</p>}
        {menuGroupsOf(user).map(({ heading, entries }, place) => (
          <div key={heading} className={styles.sideGroup}>
            {heading !== '' && (
              <p id={`${id}-${place}`} className={collapsed ? typography.srOnly : styles.sideHeading}>
                {heading}
              </p>
            )}
            <ul aria-labelledby={heading === '' ? undefined : `${id}-${place}`}>
              {entries.map((entry) => (
                <li key={entry.path}>{link(entry.path, entry.label(), entry.icon)}</li>
              ))}
            </ul>
          </div>
        ))}
      </nav>
      <div className={styles.sideFoot}>
        {link(paths.changePassword, m.common_menu_change_password(), IconKey)}
        <SideButton
          text={m.common_logout()}
          icon={IconLogout}
          collapsed={collapsed}
          onClick={() => navigate(paths.logout)}
        />
      </div>
    </div>
  );
}

/** The signed-in user, on a button that unfolds the screens of the account. On one of these it starts unfolded. */
function Account({ collapsed, children }: { collapsed: boolean; children: ReactNode }) {
  const user = useUser();
  const { pathname } = useLocation();
  const [chosen, setChosen] = useState<boolean>();
  const own: string[] = [paths.tokens, paths.notifications, paths.secondFactor];
  const open = chosen ?? own.includes(pathname);
  return (
    <div className={styles.sideAccount}>
      <button
        type="button"
        className={styles.sideUser}
        title={user.email}
        aria-expanded={open}
        onClick={() => setChosen(!open)}
      >
        <span className={styles.sideInitial} aria-hidden="true">
          {user.email.charAt(0).toUpperCase()}
        </span>
        <span className={collapsed ? typography.srOnly : styles.sideWho}>
          <span className={styles.sideEmail}>{user.email}</span>
          <span className={styles.sideRole}>{nameRoleOf(user)}</span>
        </span>
        {!collapsed && <IconChevronDown size={16} aria-hidden="true" />}
      </button>
      {open && children}
    </div>
  );
}
