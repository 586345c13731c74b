import { useLayoutEffect } from 'react';
import { SignInPage } from '#features/accounts/web/sign-in-page.tsx';
import { paths } from '#web/address/paths.ts';
import { goTo, useSignedOutPath } from '#web/address/signed-out-location.ts';
import { OnDemand } from '#web/shell/pages/on-demand.tsx';

const loadForgot = () => import('#features/accounts/web/passwords/forgot-password-page.tsx');
const loadInvitation = () => import('#features/accounts/web/invitation-page.tsx');
const loadSubscription = () => import('./subscription-page.tsx');
const loadReset = () => import('#features/accounts/web/passwords/reset-password-page.tsx');

/** The screens of a visitor who is not signed in; every other address leads to sign-in. */
export function SignedOut({ prepare }: { prepare: () => void }) {
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
  return <SignInPage prepare={prepare} />;
}
