import { MantineProvider } from '@mantine/core';
import { createRoot } from 'react-dom/client';
import '#web/styles/styles.ts';
import { useLoaded } from '#web/browser/loaded.ts';
import { watchClicks } from '#web/browser/second-click.ts';
import { getSession, useSession, watchSession } from '#web/client/session.ts';
import { useLanguage } from '#web/preferences/language.ts';
import { colorSchemeManager, cssVariables, theme } from '#web/preferences/theme.ts';
import { NotFetched } from '#web/shell/pages/not-fetched.tsx';
import { watchValidity } from '#web/ui/field/validity.ts';
import { prefetchScreen } from './screen-modules.tsx';
import { SignedOut } from './signed-out.tsx';

const loadScreens = () => import('./screens.tsx');
const prepareScreens = () => void loadScreens().catch(() => undefined);

/** Two areas: the small one of signed-out visitors, and the dashboard, which loads at sign-in. */
function App() {
  const session = useSession();
  // Receivers of a digest unsubscribe and confirm on a signed-out screen, whether or not they have a session.
  const user = /^\/(un)?subscribe\//.test(location.pathname) ? null : session.user;
  // Renders the signed-out screens again after a change of language.
  useLanguage();
  const { loaded: screens, failure } = useLoaded(loadScreens, { wanted: user !== null, isShared: true });
  return (
    <MantineProvider
      theme={theme}
      cssVariablesResolver={cssVariables}
      colorSchemeManager={colorSchemeManager}
      defaultColorScheme="auto"
    >
      {user === null ? (
        <SignedOut prepare={prepareScreens} />
      ) : screens ? (
        <screens.default key={user.email} />
      ) : (
        failure !== null && <NotFetched />
      )}
    </MantineProvider>
  );
}

const root = document.getElementById('root');
if (root === null) throw new Error('index.html has no #root');
watchSession();
watchValidity();
watchClicks();
if (getSession().user !== null) prefetchScreen(location.pathname);
createRoot(root).render(<App />);
