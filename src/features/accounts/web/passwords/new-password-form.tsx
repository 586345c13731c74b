import { Button } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import { m } from '#shared/texts/messages.js';
import { isUnanswered } from '#web/client/failure.ts';
import { useSubmit } from '#web/client/submit.ts';
import layout from '#web/styles/layout.module.css';
import { Outcome } from '#web/ui/feedback/outcome.tsx';
import { MayBeSet } from './may-be-set.tsx';
import { PasswordChecklist } from './password-checklist.tsx';
import { PasswordField } from './password-field.tsx';
import { findResetProblem, usePasswordRules } from './password-rules.ts';

type Props = {
  label: string;
  action: string;
  busyAction: string;
  /** Shown when `send` fails without a message of the server. */
  fallback: string;
  send: (password: string) => Promise<void>;
};

/** The form behind a link of a mail: a new password, typed twice, with its checklist. */
export function NewPasswordForm({ label, action, busyAction, fallback, send }: Props) {
  const [next, setNext] = useState('');
  const [confirm, setConfirm] = useState('');
  const rules = usePasswordRules(next, confirm);
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => form.current?.querySelector('input')?.focus(), []);

  // Stays when a repeat is refused: the link works once.
  const [mayBeSet, setMayBeSet] = useState(false);
  const { busy, error, submit } = useSubmit({
    check: () => findResetProblem(next, confirm),
    send: () =>
      send(next).catch((failure: unknown) => {
        if (isUnanswered(failure)) setMayBeSet(true);
        throw failure;
      }),
    fallback,
  });

  return (
    <form ref={form} className={layout.stack} onSubmit={submit}>
      {error !== null && <Outcome tone="error">{error}</Outcome>}
      {mayBeSet && <MayBeSet />}
      <PasswordField
        label={label}
        autoComplete="new-password"
        value={next}
        onChange={setNext}
        rules={rules}
      />
      <PasswordField
        label={m.account_confirm_password()}
        autoComplete="new-password"
        value={confirm}
        onChange={setConfirm}
      />
      <PasswordChecklist rules={rules} />
      <Button type="submit" size="md" disabled={busy}>
        {busy ? busyAction : action}
      </Button>
    </form>
  );
}
