import { useLayoutEffect } from 'react';
import { SignInPage } from '#features/accounts/web/sign-in-page.tsx';
import { paths } from '#web/address/paths.ts';
import { goTo, useSignedOutPath } from '#web/address/signed-out-location.ts';
import { useLoaded } from '#web/browser/loaded.ts';
import { NotFetched } from '#web/shell/pages/not-fetched.tsx';

const loadForgot = () => import('#features/accounts/web/passwords/forgot-password-page.tsx');
const loadInvitation = () => import('#features/accounts/web/invitation-page.tsx');
const loadUnsubscribe = () => import('./unsubscribe-page.tsx');
const loadReset = () => import('#features/accounts/web/passwords/reset-password-page.tsx');

/** The screens of a visitor who is not signed in; every other address leads to sign-in. */
export function SignedOut({ prepare }: { prepare: () => void }) {
  const path = useSignedOutPath();
  const leaving = /^\/unsubscribe\/([^/]+)$/.exec(path);
  const reset = /^\/reset-password(?:\/(.*))?$/.exec(path);
  const invitation = /^\/invitation(?:\/(.*))?$/.exec(path);
  const isLink = reset !== null || invitation !== null || leaving !== null;
  const known = path === paths.signIn || path === paths.forgotPassword || isLink;

  useLayoutEffect(() => {
    if (known) return;
    const isScreen = path === paths.home || path.startsWith(`${paths.home}/`);
    goTo(paths.signIn, { replace: true, ...(isScreen && { from: path + location.search }) });
  }, [known, path]);

  if (path === paths.forgotPassword) return <ForgotPassword />;
  if (reset !== null) return <ResetPassword token={reset[1] ?? ''} />;
  if (invitation !== null) return <Invitation token={invitation[1] ?? ''} />;
  if (leaving !== null) return <Unsubscribe token={leaving[1] ?? ''} />;
  return <SignInPage prepare={prepare} />;
}

function ForgotPassword() {
  const { loaded: page, failure } = useLoaded(loadForgot);
  if (failure !== null) return <NotFetched />;
  return page && <page.default />;
}

function Invitation({ token }: { token: string }) {
  const { loaded: page, failure } = useLoaded(loadInvitation);
  if (failure !== null) return <NotFetched />;
  return page && <page.default token={token} />;
}

function ResetPassword({ token }: { token: string }) {
  const { loaded: page, failure } = useLoaded(loadReset);
  if (failure !== null) return <NotFetched />;
  return page && <page.default token={token} />;
}

function Unsubscribe({ token }: { token: string }) {
  const { loaded: page, failure } = useLoaded(loadUnsubscribe);
  if (failure !== null) return <NotFetched />;
  return page && <page.default token={token} />;
}
