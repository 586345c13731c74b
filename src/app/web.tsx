import { MantineProvider } from '@mantine/core';
import { lazy, Suspense } from 'react';
import { createRoot } from 'react-dom/client';
import '#web/styles.ts';
import { useLanguage } from '#web/language.ts';
import { useSession, watchSession } from '#web/session.ts';
import { colorSchemeManager, cssVariables, theme } from '#web/theme.ts';
import { SignedOut } from './signed-out.tsx';

const loadDashboard = () => import('./screens.tsx');
const Dashboard = lazy(async () => ({ default: (await loadDashboard()).Dashboard }));

/** Two areas: the light one of signed-out visitors, and the dashboard, which is fetched when somebody signs in. */
function App() {
  const { user } = useSession();
  const language = useLanguage();
  return (
    <MantineProvider
      theme={theme}
      cssVariablesResolver={cssVariables}
      colorSchemeManager={colorSchemeManager}
      defaultColorScheme="auto"
    >
      {user === null ? (
        <SignedOut key={language} prepare={loadDashboard} />
      ) : (
        <Suspense fallback={null}>
          <Dashboard key={user.email} />
        </Suspense>
      )}
    </MantineProvider>
  );
}

const root = document.getElementById('root');
if (root === null) throw new Error('index.html has no #root');
watchSession();
createRoot(root).render(<App />);
