import { useEffect, useState } from 'react';
import type { acceptInvitation, verifyInvitation } from '#features/accounts/invitations.contract.ts';
import { m } from '#shared/texts/messages.js';
import { followLink } from '#web/address/signed-out-location.ts';
import { call } from '#web/client/api-client.ts';
import { describeFailure } from '#web/client/failure.ts';
import { Banner } from '#web/ui/feedback/banner.tsx';
import { Skeleton } from '#web/ui/feedback/skeleton.tsx';
import { NewPasswordForm } from './passwords/new-password-form.tsx';
import { SignedOutFrame } from './signed-out-frame.tsx';

type Step =
  | { name: 'verifying' }
  | { name: 'form'; email: string }
  | { name: 'invalid' | 'done'; message: string };

/** Chooses the first password by the link of an invitation: the link is checked first. */
export default function InvitationPage({ token }: { token: string }) {
  const [step, setStep] = useState<Step>(
    token === '' ? { name: 'invalid', message: m.account_invitation_invalid() } : { name: 'verifying' },
  );

  useEffect(() => {
    if (token === '') return undefined;
    let gone = false;
    const invalid: Step = { name: 'invalid', message: m.account_invitation_invalid() };
    call<typeof verifyInvitation>('GET /auth/verify-invitation/{token}', { params: { token } })
      .then(({ email }): Step => (email === null ? invalid : { name: 'form', email }))
      .catch((failure): Step => ({ ...invalid, message: describeFailure(failure, invalid.message) }))
      .then((next) => gone || setStep(next));
    return () => {
      gone = true;
    };
  }, [token]);

  return (
    <SignedOutFrame
      title={m.account_invitation_title()}
      subtitle={step.name === 'form' ? m.account_invitation_text({ email: step.email }) : ''}
      onBack={followLink}
    >
      {step.name === 'verifying' && (
        <div className="stack">
          <p role="status">{m.account_invitation_verifying()}</p>
          <Skeleton height={36} count={2} />
        </div>
      )}
      {step.name === 'invalid' && <Banner tone="error">{step.message}</Banner>}
      {step.name === 'form' && (
        <NewPasswordForm
          label={m.account_register_password()}
          action={m.account_invitation_accept()}
          busyAction={m.account_invitation_accepting()}
          fallback={m.account_invitation_failed()}
          send={async (password) => {
            const { message } = await call<typeof acceptInvitation>('POST /invitations/accept', {
              body: { token, password },
            });
            setStep({ name: 'done', message });
          }}
        />
      )}
      {step.name === 'done' && <Banner tone="success">{step.message}</Banner>}
    </SignedOutFrame>
  );
}
