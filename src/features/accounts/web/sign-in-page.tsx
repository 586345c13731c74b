import { Button, Checkbox, TextInput } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import type { signIn } from '#features/accounts/accounts.contract.ts';
import { m } from '#shared/texts/messages.js';
import { paths } from '#web/address/paths.ts';
import { followLink } from '#web/address/signed-out-location.ts';
import { call } from '#web/client/api-client.ts';
import { describeFailure } from '#web/client/failure.ts';
import { getRememberedEmail, getSession, rememberEmail, startSession } from '#web/client/session.ts';
import { useSubmit } from '#web/client/submit.ts';
import layout from '#web/styles/layout.module.css';
import { Outcome } from '#web/ui/feedback/outcome.tsx';
import { SecondFactorStep } from './second-factor/second-factor-step.tsx';
import { SignedOutFrame } from './signed-out-frame.tsx';
import { clearSsoReturn, describeSsoFailure, readSsoReturn } from './single-sign-on/single-sign-on.ts';
import { SingleSignOnLink, SingleSignOnStep } from './single-sign-on/single-sign-on-link.tsx';

/** A text that is read while rendering, because the language may change. */
type Notice = (() => string) | null;

/** Returns why the last session ended without a sign-out; null if it did not. */
function endNotice(): Notice {
  const session = getSession();
  return session.user === null ? session.notice : null;
}

type Props = {
  /** Begins to fetch the dashboard while the server checks the password. */
  prepare: () => void;
};

/** Sign-in: email and password, then a code for users with a second factor; or single sign-on. */
export function SignInPage({ prepare }: Props) {
  const [ssoReturn] = useState(readSsoReturn);
  const [code, setCode] = useState(ssoReturn && 'code' in ssoReturn ? ssoReturn.code : null);
  const [challenge, setChallenge] = useState<string | null>(null);
  const [notice, setNotice] = useState<Notice>(() =>
    ssoReturn && 'failure' in ssoReturn ? () => describeSsoFailure(ssoReturn.failure) : endNotice(),
  );
  // React would call a function that it gets directly.
  const show = (next: Notice) => setNotice(() => next);
  useEffect(() => {
    if (ssoReturn !== null) clearSsoReturn();
  }, [ssoReturn]);
  const finish = (token: string) => {
    startSession(token);
    show(endNotice());
  };
  if (code !== null) {
    return (
      <SingleSignOnStep
        code={code}
        onSignedIn={finish}
        onFailed={(reason) => {
          show(reason);
          setCode(null);
        }}
      />
    );
  }
  if (challenge !== null) {
    return (
      <SecondFactorStep
        challenge={challenge}
        onSignedIn={finish}
        onBack={(reason) => {
          show(reason);
          setChallenge(null);
        }}
      />
    );
  }
  return (
    <PasswordStep
      prepare={prepare}
      notice={notice?.() ?? null}
      onStart={() => show(null)}
      onSignedIn={finish}
      onChallenge={setChallenge}
    />
  );
}

type StepProps = Props & {
  notice: string | null;
  onStart: () => void;
  onSignedIn: (token: string) => void;
  onChallenge: (challenge: string) => void;
};

function PasswordStep({ prepare, notice, onStart, onSignedIn, onChallenge }: StepProps) {
  const [email, setEmail] = useState(getRememberedEmail() ?? '');
  const [password, setPassword] = useState('');
  const [remember, setRemember] = useState(getRememberedEmail() !== null);

  const first = useRef<HTMLInputElement>(null);
  // A remembered email leaves the password to be typed.
  useEffect(() => first.current?.focus(), []);
  const isRemembered = useState(email !== '')[0];

  const { busy, error, submit } = useSubmit({
    send: async () => {
      onStart();
      prepare();
      const { token, challenge } = await call<typeof signIn>('POST /auth/login', {
        body: { email, password },
      });
      rememberEmail(remember ? email : null);
      if (challenge !== undefined) onChallenge(challenge);
      if (token !== undefined) onSignedIn(token);
    },
    fallback: m.account_sign_in_failed(),
    describeError: describeFailure,
  });
  const message = error ?? notice;

  return (
    <SignedOutFrame title={m.account_welcome_back()} subtitle={m.account_welcome_text()}>
      <form className={layout.stack} onSubmit={submit}>
        {message !== null && <Outcome tone="error">{message}</Outcome>}
        <TextInput
          ref={isRemembered ? undefined : first}
          label={m.account_email()}
          type="email"
          name="email"
          autoComplete="username"
          required
          value={email}
          onChange={(event) => setEmail(event.target.value)}
        />
        <TextInput
          ref={isRemembered ? first : undefined}
          label={m.account_password()}
          type="password"
          name="password"
          autoComplete="current-password"
          required
          value={password}
          onChange={(event) => setPassword(event.target.value)}
        />
        <div className={layout.spread}>
          <Checkbox
            label={m.account_remember_me()}
            checked={remember}
            onChange={(event) => setRemember(event.target.checked)}
          />
          <a href={paths.forgotPassword} onClick={followLink}>
            {m.account_forgot_link()}
          </a>
        </div>
        <Button type="submit" size="md" disabled={busy}>
          {busy ? m.account_signing_in() : m.account_sign_in()}
        </Button>
        <SingleSignOnLink />
      </form>
    </SignedOutFrame>
  );
}
