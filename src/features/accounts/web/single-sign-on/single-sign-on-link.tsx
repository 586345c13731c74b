import { Button } from '@mantine/core';
import { useEffect, useState } from 'react';
import { m } from '#shared/texts/messages.js';
import { noteSingleSignOn, readSignInOptions, singleSignOnPath } from './single-sign-on.ts';

/** Leads to the identity provider, where one is set up. */
export function SingleSignOnLink() {
  const [isOffered, setOffered] = useState(false);
  useEffect(() => {
    // Without an answer, signing in with the password goes on.
    readSignInOptions().then(
      (options) => setOffered(options.single_sign_on),
      () => undefined,
    );
  }, []);
  if (!isOffered) return null;
  return (
    <Button component="a" href={singleSignOnPath} variant="default" size="md" onClick={noteSingleSignOn}>
      {m.account_sso()}
    </Button>
  );
}
