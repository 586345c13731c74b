import { IconMenu2 } from '@tabler/icons-react';
import { Link, useLocation } from 'react-router';
import { m } from '#shared/texts/messages.js';
import { onlyPathOf } from '#web/address/paths.ts';
import { useUser } from '#web/client/session.ts';
import styles from './bottom-bar.module.css';
import { quickMenuOf } from './menu.ts';

/**
 * The bar at the bottom of a phone: the most used screens, and the whole menu behind the last button. Users who are held
 * at one screen have this button alone.
 */
export function BottomBar({ onMore, drawer }: { onMore: () => void; drawer: boolean }) {
  const user = useUser();
  const { pathname } = useLocation();
  return (
    <nav className={styles.bottomBar} aria-label={m.common_quick_menu()}>
      {(onlyPathOf(user) === null ? quickMenuOf(user) : []).map(
        ({ path, label, short = label, icon: EntryIcon }) => (
          <Link
            key={path}
            to={path}
            aria-label={label()}
            aria-current={pathname === path ? 'page' : undefined}
          >
            <EntryIcon size={20} stroke={1.75} aria-hidden="true" />
            <span>{short()}</span>
          </Link>
        ),
      )}
      <button
        type="button"
        aria-label={`${m.common_more()}: ${m.common_open_menu()}`}
        aria-expanded={drawer}
        onClick={onMore}
      >
        <IconMenu2 size={20} stroke={1.75} aria-hidden="true" />
        <span aria-hidden="true">{m.common_more()}</span>
      </button>
    </nav>
  );
}
