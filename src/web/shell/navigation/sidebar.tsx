import { IconCode, IconKey, IconKeyboard, IconLogout, IconShieldLock } from '@tabler/icons-react';
import { Link, useLocation, useNavigate } from 'react-router';
import { m } from '#shared/texts/messages.js';
import { heldAt, paths } from '#web/address/paths.ts';
import { nameRoleOf } from '#web/client/role.ts';
import { useUser } from '#web/client/session.ts';
import { menuOf } from './menu.ts';
import './sidebar.css';

type Props = {
  collapsed: boolean;
  onNavigate?: () => void;
  onHelp: () => void;
};

/** Who is signed in, the menu of their role, API tokens, second factor, Change Password and Logout. Collapsed, it keeps icons with names. */
export function Sidebar({ collapsed, onNavigate, onHelp }: Props) {
  const user = useUser();
  const held = heldAt(user);
  const { pathname } = useLocation();
  const navigate = useNavigate();
  const label = (text: string) => <span className={collapsed ? 'sr-only' : undefined}>{text}</span>;
  const link = (path: string, text: string, Icon: typeof IconKey) => (
    <Link
      to={path}
      className="side-link"
      title={collapsed ? text : undefined}
      aria-current={pathname === path ? 'page' : undefined}
      onClick={(event) => {
        // A held user who follows a link would be sent back, and lose the input of the form.
        if (held !== null && path !== held) event.preventDefault();
        else onNavigate?.();
      }}
    >
      <Icon size={18} stroke={1.75} aria-hidden="true" />
      {label(text)}
    </Link>
  );
  const button = (text: string, Icon: typeof IconKey, onClick: () => void) => (
    <button type="button" className="side-link" title={collapsed ? text : undefined} onClick={onClick}>
      <Icon size={18} stroke={1.75} aria-hidden="true" />
      {label(text)}
    </button>
  );

  return (
    <div className={collapsed ? 'sidebar collapsed' : 'sidebar'}>
      <div className="side-user">
        <span className="side-initial" aria-hidden="true">
          {user.email.charAt(0).toUpperCase()}
        </span>
        <div className={collapsed ? 'sr-only' : 'side-who'}>
          <p className="side-email" title={user.email}>
            {user.email}
          </p>
          <p className="side-role">{nameRoleOf(user)}</p>
        </div>
      </div>
      <nav aria-label={m.common_menu()}>
        <ul>
          {menuOf(user).map((entry) => (
            <li key={entry.path}>{link(entry.path, entry.label(), entry.icon)}</li>
          ))}
        </ul>
      </nav>
      <div className="side-foot">
        {link(paths.tokens, m.common_menu_tokens(), IconCode)}
        {link(paths.secondFactor, m.common_menu_second_factor(), IconShieldLock)}
        {link(paths.changePassword, m.common_menu_change_password(), IconKey)}
        {button(m.common_shortcuts(), IconKeyboard, onHelp)}
        {button(m.common_logout(), IconLogout, () => navigate(paths.logout))}
      </div>
    </div>
  );
}
