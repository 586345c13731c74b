import { useLayoutEffect } from 'react';
import { SignInPage } from '#features/accounts/web/sign-in-page.tsx';
import { paths } from '#web/address/paths.ts';
import { goTo, usePlace } from '#web/address/place.ts';
import { useLoaded } from '#web/browser/loaded.ts';
import { NotFetched } from '#web/shell/pages/not-fetched.tsx';

const loadForgot = () => import('#features/accounts/web/passwords/forgot-password-page.tsx');
const loadInvitation = () => import('#features/accounts/web/invitation-page.tsx');
const loadUnsubscribe = () => import('./unsubscribe-page.tsx');
const loadReset = () => import('#features/accounts/web/passwords/reset-password-page.tsx');

/** The screens of a visitor who is not signed in; every other address leads to sign-in. */
export function SignedOut({ prepare }: { prepare: () => void }) {
  const place = usePlace();
  const leaving = /^\/unsubscribe\/([^/]+)$/.exec(place);
  const reset = /^\/reset-password(?:\/(.*))?$/.exec(place);
  const invitation = /^\/invitation(?:\/(.*))?$/.exec(place);
  const isLink = reset !== null || invitation !== null || leaving !== null;
  const known = place === paths.signIn || place === paths.forgotPassword || isLink;

  useLayoutEffect(() => {
    if (known) return;
    const isScreen = place === paths.home || place.startsWith(`${paths.home}/`);
    goTo(paths.signIn, { replace: true, ...(isScreen && { from: place + location.search }) });
  }, [known, place]);

  if (place === paths.forgotPassword) return <ForgotPassword />;
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
