import { Button, TextInput } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import type { forgotPassword } from '#features/accounts/accounts.contract.ts';
import { m } from '#shared/texts/messages.js';
import { followLink } from '#web/address/signed-out-location.ts';
import { call } from '#web/client/api-client.ts';
import { useSubmit } from '#web/client/submit.ts';
import layout from '#web/styles/layout.module.css';
import { Banner } from '#web/ui/feedback/banner.tsx';
import { Outcome } from '#web/ui/feedback/outcome.tsx';
import { SignedOutFrame } from '../signed-out-frame.tsx';

/** Asks for a link by mail; answers the same whether or not the account exists. */
export default function ForgotPasswordPage() {
  const [email, setEmail] = useState('');
  const [successMessage, setSuccessMessage] = useState<string | null>(null);

  const field = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (successMessage === null) field.current?.focus();
  }, [successMessage]);

  const { busy, error, submit } = useSubmit({
    send: async () => {
      const { message } = await call<typeof forgotPassword>('POST /auth/forgot-password', {
        body: { email },
      });
      setSuccessMessage(message);
    },
    fallback: m.account_forgot_failed(),
  });

  return (
    <SignedOutFrame
      title={m.account_forgot_title()}
      subtitle={successMessage === null ? m.account_forgot_text() : ''}
      onBack={followLink}
    >
      {successMessage === null ? (
        <form className={layout.stack} onSubmit={submit}>
          {error !== null && <Outcome tone="error">{error}</Outcome>}
          <TextInput
            ref={field}
            label={m.account_email()}
            type="email"
            name="email"
            autoComplete="username"
            required
            value={email}
            onChange={(event) => setEmail(event.target.value)}
          />
          <Button type="submit" size="md" disabled={busy}>
            {busy ? m.account_sending_link() : m.account_send_link()}
          </Button>
        </form>
      ) : (
        <div className={layout.stack}>
          <Banner tone="success" title={m.account_check_email()}>
            <p>{successMessage}</p>
          </Banner>
          <Button variant="default" size="md" onClick={() => setSuccessMessage(null)}>
            {m.account_try_again()}
          </Button>
        </div>
      )}
    </SignedOutFrame>
  );
}
