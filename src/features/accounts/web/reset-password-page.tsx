import { Button } from '@mantine/core';
import { useEffect, useId, useRef, useState } from 'react';
import { m } from '#shared/texts/messages.js';
import { paths } from '#web/address/paths.ts';
import { followLink, goTo } from '#web/address/place.ts';
import { describeFailure } from '#web/client/failure.ts';
import { useSubmit } from '#web/client/submit.ts';
import { Banner } from '#web/ui/feedback/banner.tsx';
import { Skeleton } from '#web/ui/feedback/skeleton.tsx';
import { checkResetToken, setPasswordByLink } from './accounts.api.ts';
import { PasswordChecklist } from './password-checklist.tsx';
import { PasswordField } from './password-field.tsx';
import { findResetProblem, usePasswordRules } from './password-rules.ts';
import { SignedOutFrame } from './signed-out-frame.tsx';

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
    checkResetToken(token)
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
        <NewPasswordForm token={token} onDone={(message) => setStep({ name: 'done', message })} />
      )}
      {step.name === 'done' && (
        <Banner tone="success" title={step.message}>
          <p>{m.account_reset_redirect()}</p>
        </Banner>
      )}
      <p className="signed-out-back">
        <a href={paths.signIn} onClick={followLink}>
          {m.account_back_to_login()}
        </a>
      </p>
    </SignedOutFrame>
  );
}

function NewPasswordForm({ token, onDone }: { token: string; onDone: (message: string) => void }) {
  const [next, setNext] = useState('');
  const [confirm, setConfirm] = useState('');
  const rulesId = useId();
  const rules = usePasswordRules(next, confirm);
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => form.current?.querySelector('input')?.focus(), []);

  const { busy, error, submit } = useSubmit({
    check: () => findResetProblem(next, confirm),
    send: async () => onDone((await setPasswordByLink(token, next)).message),
    fallback: m.account_reset_failed(),
  });

  return (
    <form ref={form} className="stack" onSubmit={submit}>
      {error !== null && <Banner tone="error">{error}</Banner>}
      <PasswordField
        label={m.account_new_password()}
        autoComplete="new-password"
        value={next}
        onChange={setNext}
        describedBy={rulesId}
      />
      <PasswordField
        label={m.account_confirm_password()}
        autoComplete="new-password"
        value={confirm}
        onChange={setConfirm}
      />
      <PasswordChecklist id={rulesId} rules={rules} />
      <Button type="submit" size="md" disabled={busy}>
        {busy ? m.account_resetting() : m.account_reset()}
      </Button>
    </form>
  );
}
