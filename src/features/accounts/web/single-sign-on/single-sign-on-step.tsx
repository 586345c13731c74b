import { useEffect, useEffectEvent } from 'react';
import { m } from '#shared/texts/messages.js';
import { describeFailure } from '#web/client/failure.ts';
import { Skeleton } from '#web/ui/feedback/skeleton.tsx';
import { SignedOutFrame } from '../signed-out-frame.tsx';
import { describeSsoFailure, redeemSingleSignOn } from './single-sign-on.ts';

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
      onSignedIn((await redeemSingleSignOn(code)).token);
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
