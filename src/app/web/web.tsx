import { MantineProvider } from '@mantine/core';
import { useLayoutEffect } from 'react';
import { createRoot } from 'react-dom/client';
import '#web/styles/styles.ts';
import { SignInPage } from '#features/accounts/web/sign-in-page.tsx';
import { paths } from '#web/address/paths.ts';
import { goTo, useSignedOutPath } from '#web/address/signed-out-location.ts';
import { useLoaded } from '#web/browser/loaded.ts';
import { watchClicks } from '#web/browser/second-click.ts';
import { getSession, useSession, watchSession } from '#web/client/session.ts';
import { useLanguage } from '#web/preferences/language.ts';
import { colorSchemeManager, cssVariables, theme } from '#web/preferences/theme.ts';
import { NotFetched } from '#web/shell/pages/not-fetched.tsx';
import { OnDemand } from '#web/shell/pages/on-demand.tsx';
import { watchValidity } from '#web/ui/field/validity.ts';
import { prefetchScreen } from './screen-modules.tsx';

const loadScreens = () => import('./screens.tsx');
const loadForgot = () => import('#features/accounts/web/passwords/forgot-password-page.tsx');
const loadInvitation = () => import('#features/accounts/web/invitation-page.tsx');
const loadSubscription = () => import('./subscription-page.tsx');
const loadReset = () => import('#features/accounts/web/passwords/reset-password-page.tsx');
const prepareScreens = () => void loadScreens().catch(() => undefined);

/** Two areas: the small one of signed-out visitors, and the dashboard, which loads at sign-in. */
function App() {
  const session = useSession();
  // Receivers of a digest unsubscribe and confirm on a signed-out screen, whether or not they have a session.
  const user = /^\/(un)?subscribe\//.test(location.pathname) ? null : session.user;
  // Renders the signed-out screens again after a change of language.
  useLanguage();
  const { loaded: screens, failure } = useLoaded(loadScreens, { enabled: user !== null, isShared: true });
  return (
    <MantineProvider
      theme={theme}
      cssVariablesResolver={cssVariables}
      colorSchemeManager={colorSchemeManager}
      defaultColorScheme="auto"
    >
      {user === null ? (
        <SignedOut />
      ) : screens ? (
        <screens.default key={user.email} />
      ) : (
        failure !== null && <NotFetched />
      )}
    </MantineProvider>
  );
}

/** The screens of a visitor who is not signed in; every other address leads to sign-in. */
function SignedOut() {
  const path = useSignedOutPath();
  const subscription = /^\/(un)?subscribe\/([^/]+)$/.exec(path);
  const reset = /^\/reset-password(?:\/(.*))?$/.exec(path);
  const invitation = /^\/invitation(?:\/(.*))?$/.exec(path);
  const isLink = reset !== null || invitation !== null || subscription !== null;
  const known = path === paths.signIn || path === paths.forgotPassword || isLink;

  useLayoutEffect(() => {
    if (known) return;
    const isScreen = path === paths.home || path.startsWith(`${paths.home}/`);
    goTo(paths.signIn, { replace: true, ...(isScreen && { from: path + location.search }) });
  }, [known, path]);

  if (path === paths.forgotPassword) return <OnDemand key="forgotPassword" load={loadForgot} props={{}} />;
  if (reset !== null)
    return <OnDemand key="resetPassword" load={loadReset} props={{ token: reset[1] ?? '' }} />;
  if (invitation !== null)
    return <OnDemand key="invitation" load={loadInvitation} props={{ token: invitation[1] ?? '' }} />;
  if (subscription !== null) {
    const [, leaves, token = ''] = subscription;
    return (
      <OnDemand key="subscription" load={loadSubscription} props={{ token, leaves: leaves !== undefined }} />
    );
  }
  return <SignInPage prepare={prepareScreens} />;
}

const root = document.getElementById('root');
if (root === null) throw new Error('index.html has no #root');
watchSession();
watchValidity();
watchClicks();
if (getSession().user !== null) prefetchScreen(location.pathname);
createRoot(root).render(<App />);
