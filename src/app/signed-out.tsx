import { lazy, Suspense, useLayoutEffect } from 'react';
import { SignInPage } from '#features/accounts/web/sign-in-page.tsx';
import { paths } from '#web/paths.ts';
import { goTo, usePlace } from '#web/place.ts';

const ForgotPasswordPage = lazy(() => import('#features/accounts/web/forgot-password-page.tsx'));
const ResetPasswordPage = lazy(() => import('#features/accounts/web/reset-password-page.tsx'));

/** The screens of a visitor who is not signed in; every other address leads to sign-in. */
export function SignedOut({ prepare }: { prepare: () => void }) {
  const place = usePlace();
  const reset = /^\/reset-password(?:\/(.*))?$/.exec(place);
  const known = place === paths.signIn || place === paths.forgotPassword || reset !== null;

  useLayoutEffect(() => {
    if (known) return;
    const isScreen = place === paths.home || place.startsWith(`${paths.home}/`);
    goTo(paths.signIn, { replace: true, ...(isScreen && { from: place + location.search }) });
  }, [known, place]);

  if (place === paths.forgotPassword)
    return (
      <Suspense fallback={null}>
        <ForgotPasswordPage />
      </Suspense>
    );
  if (reset !== null)
    return (
      <Suspense fallback={null}>
        <ResetPasswordPage token={reset[1] ?? ''} />
      </Suspense>
    );
  return <SignInPage prepare={prepare} />;
}
