import { Button } from '@mantine/core';
import { useEffect, useEffectEvent, useState } from 'react';
import type { readSignInOptions, redeemSingleSignOn } from '#features/accounts/single-sign-on.contract.ts';
import { m } from '#shared/texts/messages.js';
import { call } from '#web/client/api-client.ts';
import { describeFailure } from '#web/client/failure.ts';
import { Checking, SignedOutFrame } from '../signed-out-frame.tsx';
import { describeSsoFailure, noteSingleSignOn } from './single-sign-on.ts';

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

type Props = {
  code: string;
  onSignedIn: (token: string) => void;
  onFailed: (reason: () => string) => void;
};

export function SingleSignOnStep({ code, onSignedIn, onFailed }: Props) {
  const redeem = useEffectEvent(async () => {
    try {
      const body = { code };
      onSignedIn((await call<typeof redeemSingleSignOn>('POST /auth/oidc/token', { body })).token);
    } catch (failure) {
      onFailed(() => describeFailure(failure, describeSsoFailure('expired')));
    }
  });
  useEffect(() => void redeem(), []);
  return (
    <SignedOutFrame title={m.account_welcome_back()} subtitle="">
      <Checking text={m.account_signing_in()} />
    </SignedOutFrame>
  );
}
