import { useEffect, useEffectEvent } from 'react';
import type { redeemSingleSignOn } from '#features/accounts/single-sign-on.contract.ts';
import { m } from '#shared/texts/messages.js';
import { call } from '#web/client/api-client.ts';
import { describeFailure } from '#web/client/failure.ts';
import { Skeleton } from '#web/ui/feedback/skeleton.tsx';
import { SignedOutFrame } from '../signed-out-frame.tsx';
import { describeSsoFailure } from './single-sign-on.ts';

type Props = {
  code: string;
  onSignedIn: (token: string) => void;
  /** Goes to email and password, with the reason why the code gave no session. */
  onFailed: (reason: string) => void;
};

/** Exchanges the one-time code of a single sign-on for a session. */
export function SingleSignOnStep({ code, onSignedIn, onFailed }: Props) {
  const redeem = useEffectEvent(async () => {
    try {
      const body = { code };
      onSignedIn((await call<typeof redeemSingleSignOn>('POST /auth/oidc/token', { body })).token);
    } catch (failure) {
      onFailed(describeFailure(failure, describeSsoFailure('expired')));
    }
  });
  useEffect(() => void redeem(), []);
  return (
    <SignedOutFrame title={m.account_welcome_back()} subtitle="">
      <div className="stack">
        <p role="status">{m.account_signing_in()}</p>
        <Skeleton height={36} count={2} />
      </div>
    </SignedOutFrame>
  );
}
