import { useEffect, useState } from 'react';
import type { resetPassword, verifyResetToken } from '#features/accounts/accounts.contract.ts';
import { m } from '#shared/texts/messages.js';
import { paths } from '#web/address/paths.ts';
import { followLink, goTo } from '#web/address/signed-out-location.ts';
import { call } from '#web/client/api-client.ts';
import layout from '#web/styles/layout.module.css';
import { Banner } from '#web/ui/feedback/banner.tsx';
import styles from '../signed-out-frame.module.css';
import { Checking, LinkProblem, SignedOutFrame, useCheckedLink } from '../signed-out-frame.tsx';
import { MayBeSet } from './may-be-set.tsx';
import { NewPasswordForm } from './new-password-form.tsx';

const redirectMs = 3000;

/** Sets a new password by the link of a mail: the link is checked first. */
export default function ResetPasswordPage({ token }: { token: string }) {
  const [successMessage, setSuccessMessage] = useState<string | null>(null);
  const invalid = token === '' ? m.account_reset_link_missing() : m.account_reset_link_invalid();
  const { answer, problem } = useCheckedLink(token, invalid, async () => {
    const input = { params: { token } };
    const { valid } = await call<typeof verifyResetToken>('GET /auth/verify-reset-token/{token}', input);
    return valid || null;
  });

  useEffect(() => {
    if (successMessage === null) return undefined;
    const timer = setTimeout(() => goTo(paths.signIn), redirectMs);
    return () => clearTimeout(timer);
  }, [successMessage]);

  return (
    <SignedOutFrame
      title={m.account_reset_title()}
      subtitle={problem === null && successMessage === null ? m.account_reset_text() : ''}
      onBack={followLink}
    >
      {answer === null && problem === null && <Checking text={m.account_reset_verifying()} />}
      {problem !== null && (
        <div className={layout.stack}>
          <LinkProblem {...problem} />
          {problem.onRetry === undefined && token !== '' && <MayBeSet />}
        </div>
      )}
      {problem !== null && problem.onRetry === undefined && (
        <p className={styles.signedOutBack}>
          <a href={paths.forgotPassword} onClick={followLink}>
            {m.account_reset_request_new()}
          </a>
        </p>
      )}
      {answer !== null && successMessage === null && (
        <NewPasswordForm
          label={m.account_new_password()}
          action={m.account_reset()}
          busyAction={m.account_resetting()}
          fallback={m.account_reset_failed()}
          send={async (password) => {
            const { message } = await call<typeof resetPassword>('POST /auth/reset-password', {
              body: { token, newPassword: password },
            });
            setSuccessMessage(message);
          }}
        />
      )}
      {successMessage !== null && (
        <Banner tone="success" title={successMessage}>
          <p>{m.account_reset_redirect()}</p>
        </Banner>
      )}
    </SignedOutFrame>
  );
}
