import { IconLayoutSidebar, IconMenu2, IconX } from '@tabler/icons-react';
import { type ReactNode, useState } from 'react';
import { Navigate, Outlet, useLocation, useNavigation } from 'react-router';
import { m } from '#shared/texts/messages.js';
import { onlyPathOf, paths } from '#web/address/paths.ts';
import { isElsewhere, useWindowKeys } from '#web/browser/keyboard.ts';
import { useUser } from '#web/client/session.ts';
import { Preferences } from '#web/preferences/preferences.tsx';
import { readStored, writeStored } from '#web/preferences/stored.ts';
import { OverlayOnDemand } from '#web/shell/pages/overlay-on-demand.tsx';
import { OutdatedContext } from '#web/ui/feedback/read-state.tsx';
import { Toasts } from '#web/ui/feedback/toast.tsx';
import { useScreenName } from '#web/ui/layout/screen-name.ts';
import { BottomBar } from './navigation/bottom-bar.tsx';
import { Brand } from './navigation/brand.tsx';
import { nameScreen } from './navigation/menu.ts';
import { Sidebar } from './navigation/sidebar.tsx';
import { OutdatedNotice } from './outdated-notice.tsx';
import { useScrollRestoration } from './use-scroll-restoration.ts';
import '#web/ui/layout/panel.module.css';
import buttons from '#web/styles/buttons.module.css';
import typography from '#web/styles/typography.module.css';
import progressStyles from './navigation/navigation-progress.module.css';
import styles from './shell.module.css';

const loadDrawer = () => import('./navigation/sidebar-drawer.tsx');
const loadHelp = () => import('./shortcuts-help.tsx');

const collapsedKey = 'coverdesk.sidebar';
/** Screens to fill in are not as wide as the window: lines would be too long to read. */
const forms: readonly string[] = [
  paths.upload,
  paths.uploadProxies,
  paths.register,
  paths.changePassword,
  paths.secondFactor,
];

type Props = {
  activity?: ReactNode;
  search?: ReactNode;
  /** Whether the server has stopped answering, so that no screen is up to date. */
  unanswered: boolean;
};

/** The frame of every signed-in screen. Holds users at the one screen where they must do something first. */
export function Shell({ activity, search, unanswered }: Props) {
  const user = useUser();
  const { pathname } = useLocation();
  const [collapsed, setCollapsed] = useState(readStored(collapsedKey) === 'collapsed');
  const screenName = useScreenName();
  const [drawer, setDrawer] = useState(false);
  const [help, setHelp] = useState(false);
  useScrollRestoration();
  useWindowKeys((event) => {
    if (event.key === '?' && !isElsewhere(event)) setHelp(true);
  });

  const onlyPath = onlyPathOf(user);
  if (onlyPath !== null && pathname !== onlyPath) return <Navigate to={onlyPath} replace />;

  const toggle = () => {
    writeStored(collapsedKey, collapsed ? null : 'collapsed');
    setCollapsed(!collapsed);
  };
  const closeDrawer = () => setDrawer(false);
  const closeHelp = () => setHelp(false);
  const drawerContents = (
    <>
      <div className={styles.shellBrand}>
        <Brand />
        <button
          type="button"
          className={buttons.iconButton}
          aria-label={m.common_close_menu()}
          onClick={closeDrawer}
        >
          <IconX size={20} aria-hidden="true" />
        </button>
      </div>
      <Sidebar
        collapsed={false}
        onNavigate={closeDrawer}
        onHelp={() => {
          closeDrawer();
          setHelp(true);
        }}
      />
      <Preferences className={styles.preferences} />
    </>
  );
  return (
    <div className={collapsed ? `${styles.shell} ${styles.collapsed}` : styles.shell}>
      <a className={styles.skipLink} href="#content">
        {m.common_skip()}
      </a>
      <aside className={styles.shellSide} aria-label={m.common_sidebar()}>
        <div className={styles.shellBrand}>
          {!collapsed && <Brand />}
          <button
            type="button"
            className={buttons.iconButton}
            aria-label={collapsed ? m.common_expand_sidebar() : m.common_collapse_sidebar()}
            aria-expanded={!collapsed}
            onClick={toggle}
          >
            <IconLayoutSidebar size={18} aria-hidden="true" />
          </button>
        </div>
        <Sidebar collapsed={collapsed} onHelp={() => setHelp(true)} />
      </aside>
      <div className={styles.shellMain}>
        <header className={styles.shellTop}>
          <button
            type="button"
            className={`${buttons.iconButton} ${styles.shellBurger}`}
            aria-label={m.common_open_menu()}
            aria-expanded={drawer}
            onClick={() => setDrawer(true)}
          >
            <IconMenu2 size={20} aria-hidden="true" />
          </button>
          <div className={styles.shellLeft}>
            <p className={styles.shellWhere}>{nameScreen(user, pathname) || screenName}</p>
            <Brand className={styles.brand} />
            <Toasts />
          </div>
          <div className={styles.shellActivity}>{activity}</div>
          {search}
          <Preferences className={styles.preferences} />
          <NavigationProgress />
        </header>
        <main
          id="content"
          tabIndex={-1}
          className={forms.includes(pathname) ? `${styles.shellContent} ${styles.form}` : styles.shellContent}
        >
          <OutdatedNotice unanswered={unanswered} />
          <OutdatedContext value={unanswered}>
            <Outlet />
          </OutdatedContext>
        </main>
        {/* The place of a table's bar (`SelectionBar`). */}
        <div id="selection" className={styles.shellSelection} />
      </div>
      <BottomBar onMore={() => setDrawer(true)} drawer={drawer} />
      {help && <OverlayOnDemand load={loadHelp} props={{ onClose: closeHelp }} />}
      {drawer && (
        <OverlayOnDemand
          load={loadDrawer}
          props={{ label: m.common_menu(), onClose: closeDrawer, children: drawerContents }}
        />
      )}
    </div>
  );
}

/** A line below the top bar while the code of the next screen is on its way; a quick one is not seen. */
function NavigationProgress() {
  const { state } = useNavigation();
  if (state === 'idle') return null;
  return (
    <div className={progressStyles.navigationProgress} role="status">
      <span className={typography.srOnly}>{m.common_loading()}</span>
    </div>
  );
}
