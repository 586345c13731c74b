import { Button, TextInput } from '@mantine/core';
import { useState } from 'react';
import type { answerSecondFactor } from '#features/accounts/second-factor.contract.ts';
import { m } from '#shared/texts/messages.js';
import { call } from '#web/client/api-client.ts';
import { ApiFailure, describeFailure } from '#web/client/failure.ts';
import { useSubmit } from '#web/client/submit.ts';
import layout from '#web/styles/layout.module.css';
import { Outcome } from '#web/ui/feedback/outcome.tsx';
import { SignedOutFrame } from '../signed-out-frame.tsx';
import { CodeField } from './code-field.tsx';

type Props = {
  challenge: string;
  onSignedIn: (token: string) => void;
  /** Goes back to email and password; `reason` when the server ended this sign-in. */
  onBack: (reason: (() => string) | null) => void;
};

/** The second step of signing in: a code of the app, or a recovery code. */
export function SecondFactorStep({ challenge, onSignedIn, onBack }: Props) {
  const [kind, setKind] = useState<'code' | 'recovery'>('code');
  const [code, setCode] = useState('');
  const { busy, error, setError, submit } = useSubmit({
    send: async () => {
      try {
        const body = { challenge, code };
        onSignedIn((await call<typeof answerSecondFactor>('POST /auth/second-factor', { body })).token);
      } catch (failure) {
        if (!(failure instanceof ApiFailure) || failure.code !== 'challenge_ended') throw failure;
        onBack(() => failure.message);
      }
    },
    fallback: m.account_code_failed(),
    describeError: describeFailure,
  });
  const isCode = kind === 'code';
  return (
    <SignedOutFrame
      title={m.account_second_step_title()}
      subtitle={isCode ? m.account_second_step_text() : m.account_recovery_step_text()}
      onBack={(event) => {
        event.preventDefault();
        onBack(null);
      }}
    >
      <form className={layout.stack} onSubmit={submit}>
        {error !== null && <Outcome tone="error">{error}</Outcome>}
        {isCode ? (
          <CodeField value={code} onChange={setCode} autoFocus />
        ) : (
          <TextInput
            label={m.account_recovery_code()}
            name="recovery-code"
            autoComplete="off"
            required
            maxLength={100}
            autoFocus
            value={code}
            onChange={(event) => setCode(event.target.value)}
          />
        )}
        <Button type="submit" size="md" disabled={busy}>
          {busy ? m.account_signing_in() : m.account_sign_in()}
        </Button>
        <Button
          variant="default"
          onClick={() => {
            setKind(isCode ? 'recovery' : 'code');
            setCode('');
            setError(null);
          }}
        >
          {isCode ? m.account_use_recovery_code() : m.account_use_code()}
        </Button>
      </form>
    </SignedOutFrame>
  );
}
