import { Button } from '@mantine/core';
import { useMemo, useState } from 'react';
import { encode } from 'uqr';
import type { confirmSecondFactor, startSecondFactor } from '#features/accounts/second-factor.contract.ts';
import { m } from '#shared/texts/messages.js';
import { call } from '#web/client/api-client.ts';
import { startSession } from '#web/client/session.ts';
import { useSubmit } from '#web/client/submit.ts';
import layout from '#web/styles/layout.module.css';
import typography from '#web/styles/typography.module.css';
import { CopyButton } from '#web/ui/action/copy-button.tsx';
import { Outcome } from '#web/ui/feedback/outcome.tsx';
import { sendReplacingToken } from '../send-replacing-token.ts';
import { CodeField } from './code-field.tsx';
import styles from './second-factor-page.module.css';

type Props = { onDone: (recoveryCodes: string[]) => void };

/** Sets up an authenticator app: its secret as a QR code and as text, then a code that proves it. */
export function SecondFactorSetup({ onDone }: Props) {
  const [setup, setSetup] = useState<{ secret: string; uri: string } | null>(null);
  const { busy, error, submit } = useSubmit({
    send: async () => setSetup(await call<typeof startSecondFactor>('POST /auth/totp', {})),
    fallback: m.account_factor_start_failed(),
  });
  if (setup !== null) return <Confirmation {...setup} onDone={onDone} />;
  return (
    <>
      {error !== null && <Outcome tone="error">{error}</Outcome>}
      <p>{m.account_factor_explained()}</p>
      <div className={layout.row}>
        <Button disabled={busy} onClick={submit}>
          {busy ? m.account_factor_starting() : m.account_factor_start()}
        </Button>
      </div>
    </>
  );
}

function Confirmation({ secret, uri, onDone }: Props & { secret: string; uri: string }) {
  const [code, setCode] = useState('');
  const { busy, error, submit } = useSubmit({
    send: async () => {
      const { recovery_codes: codes, token } = await sendReplacingToken(m.account_factor_unanswered, () =>
        call<typeof confirmSecondFactor>('POST /auth/totp/confirm', { body: { code } }),
      );
      onDone(codes);
      // The token of a role that had to set it up no longer says so.
      startSession(token);
    },
    fallback: m.account_code_failed(),
  });
  return (
    <form className={layout.stack} onSubmit={submit}>
      {error !== null && <Outcome tone="error">{error}</Outcome>}
      <p>{m.account_factor_scan()}</p>
      <QrCode text={uri} label={m.account_factor_qr()} />
      <p>{m.account_factor_type()}</p>
      <div className={layout.row}>
        <code className={typography.code}>{secret.replaceAll(/(.{4})(?=.)/g, '$1 ')}</code>
        <CopyButton text={secret} label={m.account_factor_copy_secret()} />
      </div>
      <CodeField value={code} onChange={setCode} />
      <div className={layout.row}>
        <Button type="submit" disabled={busy}>
          {busy ? m.account_factor_confirming() : m.account_factor_confirm()}
        </Button>
      </div>
    </form>
  );
}

const margin = 4;

/** A QR code, always dark on white, because many readers cannot read the reverse. */
function QrCode({ text, label }: { text: string; label: string }) {
  const { size, path } = useMemo(() => {
    const { data, size: modules } = encode(text, { border: 0 });
    const squares = data.flatMap((row, y) => row.flatMap((dark, x) => (dark ? [`M${x} ${y}h1v1h-1z`] : [])));
    return { size: modules, path: squares.join('') };
  }, [text]);
  const whole = size + 2 * margin;
  return (
    <svg
      className={styles.qrCode}
      role="img"
      aria-label={label}
      viewBox={`${-margin} ${-margin} ${whole} ${whole}`}
      shapeRendering="crispEdges"
    >
      <path d={path} />
    </svg>
  );
}
