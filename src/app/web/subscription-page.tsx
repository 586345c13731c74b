import { Button } from '@mantine/core';
import { useState } from 'react';
import { SignedOutFrame, useCheckedLink } from '#features/accounts/web/signed-out-frame.tsx';
import type { readSubscription, unsubscribe } from '#features/watch/watch.contract.ts';
import { m } from '#shared/texts/messages.js';
import { call } from '#web/client/api-client.ts';
import { useSubmit } from '#web/client/submit.ts';
import { Banner } from '#web/ui/feedback/banner.tsx';
import { Skeleton } from '#web/ui/feedback/skeleton.tsx';

/** Asks whether to remove an address from a digest. It waits for a button, because mail programs follow links. */
export default function UnsubscribePage({ token }: { token: string }) {
  const [done, setDone] = useState<string | null>(null);
  const { answer, problem } = useCheckedLink(token, m.watch_unsubscribe_failed(), () =>
    call<typeof readSubscription>('GET /unsubscribe/{token}', { params: { token } }),
  );
  const { busy, error, submit } = useSubmit({
    send: async () => {
      const { message } = await call<typeof unsubscribe>('POST /unsubscribe/{token}', { params: { token } });
      setDone(message);
    },
    fallback: m.watch_unsubscribe_failed(),
  });

  return (
    <SignedOutFrame title={m.watch_unsubscribe()} subtitle="">
      {answer === null && problem === null && <Skeleton height={36} count={2} />}
      {problem !== null && <Banner tone="error">{problem}</Banner>}
      {done !== null && <Banner tone="success">{done}</Banner>}
      {answer !== null && done === null && (
        <form className="stack" onSubmit={submit}>
          {error !== null && <Banner tone="error">{error}</Banner>}
          <p>{m.watch_unsubscribe_text({ address: answer.address, company: answer.company_name })}</p>
          <Button type="submit" size="md" disabled={busy}>
            {busy ? m.watch_unsubscribing() : m.watch_unsubscribe()}
          </Button>
        </form>
      )}
    </SignedOutFrame>
  );
}
