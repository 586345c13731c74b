import { useEffect, useState } from 'react';
import type { resetPassword, verifyResetToken } from '#features/accounts/accounts.contract.ts';
import { m } from '#shared/texts/messages.js';
import { paths } from '#web/address/paths.ts';
import { followLink, goTo } from '#web/address/signed-out-location.ts';
import { call } from '#web/client/api-client.ts';
import { describeFailure } from '#web/client/failure.ts';
import { Banner } from '#web/ui/feedback/banner.tsx';
import { Skeleton } from '#web/ui/feedback/skeleton.tsx';
import { SignedOutFrame } from '../signed-out-frame.tsx';
import { NewPasswordForm } from './new-password-form.tsx';

const redirectMs = 3000;

type Step = { name: 'verifying' | 'form' } | { name: 'invalid' | 'done'; message: string };

/** Sets a new password by the link of a mail: the link is checked first. */
export default function ResetPasswordPage({ token }: { token: string }) {
  const [step, setStep] = useState<Step>(
    token === '' ? { name: 'invalid', message: m.account_reset_link_missing() } : { name: 'verifying' },
  );

  useEffect(() => {
    if (token === '') return undefined;
    let gone = false;
    const invalid: Step = { name: 'invalid', message: m.account_reset_link_invalid() };
    call<typeof verifyResetToken>('GET /auth/verify-reset-token/{token}', { params: { token } })
      .then(({ valid }) => (valid ? { name: 'form' as const } : invalid))
      .catch((failure) => ({ ...invalid, message: describeFailure(failure, invalid.message) }))
      .then((next) => gone || setStep(next));
    return () => {
      gone = true;
    };
  }, [token]);

  useEffect(() => {
    if (step.name !== 'done') return undefined;
    const timer = setTimeout(() => goTo(paths.signIn), redirectMs);
    return () => clearTimeout(timer);
  }, [step]);

  return (
    <SignedOutFrame
      title={m.account_reset_title()}
      subtitle={step.name === 'form' || step.name === 'verifying' ? m.account_reset_text() : ''}
      onBack={followLink}
    >
      {step.name === 'verifying' && (
        <div className="stack">
          <p role="status">{m.account_reset_verifying()}</p>
          <Skeleton height={36} count={2} />
        </div>
      )}
      {step.name === 'invalid' && (
        <>
          <Banner tone="error">{step.message}</Banner>
          <p className="signed-out-back">
            <a href={paths.forgotPassword} onClick={followLink}>
              {m.account_reset_request_new()}
            </a>
          </p>
        </>
      )}
      {step.name === 'form' && (
        <NewPasswordForm
          label={m.account_new_password()}
          action={m.account_reset()}
          busyAction={m.account_resetting()}
          fallback={m.account_reset_failed()}
          send={async (password) => {
            const { message } = await call<typeof resetPassword>('POST /auth/reset-password', {
              body: { token, newPassword: password },
            });
            setStep({ name: 'done', message });
          }}
        />
      )}
      {step.name === 'done' && (
        <Banner tone="success" title={step.message}>
          <p>{m.account_reset_redirect()}</p>
        </Banner>
      )}
    </SignedOutFrame>
  );
}
