import { MantineProvider } from '@mantine/core';
import { useEffect, useState } from 'react';
import { createRoot } from 'react-dom/client';
import '#web/styles.ts';
import { m } from '#shared/texts/messages.js';
import { useLanguage } from '#web/language.ts';
import { getSession, useSession, watchSession } from '#web/session.ts';
import { colorSchemeManager, cssVariables, theme } from '#web/theme.ts';
import { ErrorState } from '#web/ui/error-state.tsx';
import { prefetchScreen } from './screen-modules.tsx';
import { SignedOut } from './signed-out.tsx';

let screens: typeof import('./screens.tsx') | null = null;
const loadScreens = async () => {
  screens = await import('./screens.tsx');
};
const prepareScreens = () => void loadScreens().catch(() => undefined);

/** The dashboard once it is fetched. React would hold what a Suspense boundary waited for back for 300 ms. */
function useDashboard(wanted: boolean) {
  const [, setLoaded] = useState(false);
  const [failure, setFailure] = useState<unknown>(null);
  useEffect(() => {
    if (wanted && screens === null) loadScreens().then(() => setLoaded(true), setFailure);
  }, [wanted]);
  return { Dashboard: screens?.Dashboard, failure };
}

/** Two areas: the light one of signed-out visitors, and the dashboard, which is fetched when somebody signs in. */
function App() {
  const { user } = useSession();
  const language = useLanguage();
  const { Dashboard, failure } = useDashboard(user !== null);
  return (
    <MantineProvider
      theme={theme}
      cssVariablesResolver={cssVariables}
      colorSchemeManager={colorSchemeManager}
      defaultColorScheme="auto"
    >
      {user === null ? (
        <SignedOut key={language} prepare={prepareScreens} />
      ) : Dashboard ? (
        <Dashboard key={user.email} />
      ) : (
        failure !== null && (
          <ErrorState
            error={failure}
            fallback={m.common_screen_failed_text()}
            onRetry={() => location.reload()}
          />
        )
      )}
    </MantineProvider>
  );
}

const root = document.getElementById('root');
if (root === null) throw new Error('index.html has no #root');
watchSession();
if (getSession().user !== null) prefetchScreen(location.pathname);
createRoot(root).render(<App />);
