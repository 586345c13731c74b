import { Button } from '@mantine/core';
import { useEffect, useState } from 'react';
import type { readSignInOptions } from '#features/accounts/single-sign-on.contract.ts';
import { m } from '#shared/texts/messages.js';
import { call } from '#web/client/api-client.ts';
import { noteSingleSignOn } from './single-sign-on.ts';

/** Leads to the identity provider, where one is set up. */
export function SingleSignOnLink() {
  const [isOffered, setOffered] = useState(false);
  useEffect(() => {
    // Without an answer, signing in with the password goes on.
    call<typeof readSignInOptions>('GET /auth/options', {}).then(
      (options) => setOffered(options.single_sign_on),
      () => undefined,
    );
  }, []);
  if (!isOffered) return null;
  return (
    <Button component="a" href="/api/auth/oidc" variant="default" size="md" onClick={noteSingleSignOn}>
      {m.account_sso()}
    </Button>
  );
}
