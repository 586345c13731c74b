import { Button } from '@mantine/core';
import { useEffect, useId, useRef, useState } from 'react';
import { m } from '#shared/texts/messages.js';
import { paths } from '#web/address/paths.ts';
import { followLink } from '#web/address/place.ts';
import { describeFailure } from '#web/client/failure.ts';
import { useSubmit } from '#web/client/submit.ts';
import { Banner } from '#web/ui/feedback/banner.tsx';
import { Skeleton } from '#web/ui/feedback/skeleton.tsx';
import { acceptInvitation, checkInvitation } from './accounts.api.ts';
import { PasswordChecklist } from './password-checklist.tsx';
import { PasswordField } from './password-field.tsx';
import { findResetProblem, usePasswordRules } from './password-rules.ts';
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
    checkInvitation(token)
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
    >
      {step.name === 'verifying' && (
        <div className="stack">
          <p role="status">{m.account_invitation_verifying()}</p>
          <Skeleton height={36} count={2} />
        </div>
      )}
      {step.name === 'invalid' && <Banner tone="error">{step.message}</Banner>}
      {step.name === 'form' && (
        <FirstPasswordForm token={token} onDone={(message) => setStep({ name: 'done', message })} />
      )}
      {step.name === 'done' && <Banner tone="success">{step.message}</Banner>}
      <p className="signed-out-back">
        <a href={paths.signIn} onClick={followLink}>
          {m.account_back_to_login()}
        </a>
      </p>
    </SignedOutFrame>
  );
}

function FirstPasswordForm({ token, onDone }: { token: string; onDone: (message: string) => void }) {
  const [next, setNext] = useState('');
  const [confirm, setConfirm] = useState('');
  const rulesId = useId();
  const rules = usePasswordRules(next, confirm);
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => form.current?.querySelector('input')?.focus(), []);

  const { busy, error, submit } = useSubmit({
    check: () => findResetProblem(next, confirm),
    send: async () => onDone((await acceptInvitation(token, next)).message),
    fallback: m.account_invitation_failed(),
  });

  return (
    <form ref={form} className="stack" onSubmit={submit}>
      {error !== null && <Banner tone="error">{error}</Banner>}
      <PasswordField
        label={m.account_register_password()}
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
        {busy ? m.account_invitation_accepting() : m.account_invitation_accept()}
      </Button>
    </form>
  );
}
