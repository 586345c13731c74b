import { MantineProvider } from '@mantine/core';
import { createRoot } from 'react-dom/client';
import '#web/styles.ts';
import { useLanguage } from '#web/language.ts';
import { useLoaded } from '#web/loaded.ts';
import { getSession, useSession, watchSession } from '#web/session.ts';
import { NotFetched } from '#web/shell/not-fetched.tsx';
import { colorSchemeManager, cssVariables, theme } from '#web/theme.ts';
import { watchValidity } from '#web/validity.ts';
import { prefetchScreen } from './screen-modules.tsx';
import { SignedOut } from './signed-out.tsx';

const loadScreens = () => import('./screens.tsx');
const prepareScreens = () => void loadScreens().catch(() => undefined);

/** Two areas: the light one of signed-out visitors, and the dashboard, which is fetched when somebody signs in. */
function App() {
  const { user } = useSession();
  const language = useLanguage();
  const { loaded: screens, failure } = useLoaded(loadScreens, user !== null);
  return (
    <MantineProvider
      theme={theme}
      cssVariablesResolver={cssVariables}
      colorSchemeManager={colorSchemeManager}
      defaultColorScheme="auto"
    >
      {user === null ? (
        <SignedOut key={language} prepare={prepareScreens} />
      ) : screens ? (
        <screens.Dashboard key={user.email} />
      ) : (
        failure !== null && <NotFetched error={failure} />
      )}
    </MantineProvider>
  );
}

const root = document.getElementById('root');
if (root === null) throw new Error('index.html has no #root');
watchSession();
watchValidity();
if (getSession().user !== null) prefetchScreen(location.pathname);
createRoot(root).render(<App />);
