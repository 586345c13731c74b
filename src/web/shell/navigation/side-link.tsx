import type { Icon } from '@tabler/icons-react';
import { Link, useLocation } from 'react-router';
import typography from '#web/styles/typography.module.css';
import styles from './sidebar.module.css';

type Look = { text: string; icon: Icon; collapsed: boolean };
type LinkProps = Look & {
  path: string;
  disabledBecause: string | null;
  onNavigate: (() => void) | undefined;
};

/** A link of the sidebar. Disabled, it leads nowhere: a held user who followed it would lose the input of the form. */
export function SideLink({ path, disabledBecause, onNavigate, ...look }: LinkProps) {
  const { pathname } = useLocation();
  return (
    <Link
      to={path}
      className={styles.sideLink}
      title={disabledBecause ?? (look.collapsed ? look.text : undefined)}
      aria-current={pathname === path ? 'page' : undefined}
      aria-disabled={disabledBecause !== null || undefined}
      onClick={(event) => {
        if (disabledBecause !== null) event.preventDefault();
        else onNavigate?.();
      }}
    >
      <Content {...look} />
    </Link>
  );
}

export function SideButton({ onClick, ...look }: Look & { onClick: () => void }) {
  return (
    <button
      type="button"
      className={styles.sideLink}
      title={look.collapsed ? look.text : undefined}
      onClick={onClick}
    >
      <Content {...look} />
    </button>
  );
}

function Content({ text, icon: LinkIcon, collapsed }: Look) {
  return (
    <>
      <LinkIcon size={18} stroke={1.75} aria-hidden="true" />
      <span className={collapsed ? typography.srOnly : undefined}>{text}</span>
    </>
  );
}
