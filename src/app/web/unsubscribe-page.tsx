import { Button } from '@mantine/core';
import { useEffect, useState } from 'react';
import { SignedOutFrame } from '#features/accounts/web/signed-out-frame.tsx';
import type { readSubscription, unsubscribe } from '#features/watch/watch.contract.ts';
import { m } from '#shared/texts/messages.js';
import { call } from '#web/client/api-client.ts';
import { describeFailure } from '#web/client/failure.ts';
import { useSubmit } from '#web/client/submit.ts';
import { Banner } from '#web/ui/feedback/banner.tsx';
import { Skeleton } from '#web/ui/feedback/skeleton.tsx';

type Step =
  | { name: 'reading' }
  | { name: 'asking'; address: string; company: string }
  | { name: 'failed' | 'done'; message: string };

/** Asks whether to remove an address from a digest. It waits for a button, because mail programs follow links. */
export default function UnsubscribePage({ token }: { token: string }) {
  const [step, setStep] = useState<Step>({ name: 'reading' });
  useEffect(() => {
    let gone = false;
    call<typeof readSubscription>('GET /unsubscribe/{token}', { params: { token } })
      .then(({ address, company_name }): Step => ({ name: 'asking', address, company: company_name }))
      .catch(
        (failure): Step => ({
          name: 'failed',
          message: describeFailure(failure, m.watch_unsubscribe_failed()),
        }),
      )
      .then((next) => gone || setStep(next));
    return () => {
      gone = true;
    };
  }, [token]);
  const { busy, error, submit } = useSubmit({
    send: async () => {
      const { message } = await call<typeof unsubscribe>('POST /unsubscribe/{token}', { params: { token } });
      setStep({ name: 'done', message });
    },
    fallback: m.watch_unsubscribe_failed(),
  });

  return (
    <SignedOutFrame title={m.watch_unsubscribe()} subtitle="">
      {step.name === 'reading' && <Skeleton height={36} count={2} />}
      {step.name === 'failed' && <Banner tone="error">{step.message}</Banner>}
      {step.name === 'done' && <Banner tone="success">{step.message}</Banner>}
      {step.name === 'asking' && (
        <form className="stack" onSubmit={submit}>
          {error !== null && <Banner tone="error">{error}</Banner>}
          <p>{m.watch_unsubscribe_text({ address: step.address, company: step.company })}</p>
          <Button type="submit" size="md" disabled={busy}>
            {busy ? m.watch_unsubscribing() : m.watch_unsubscribe()}
          </Button>
        </form>
      )}
    </SignedOutFrame>
  );
}
