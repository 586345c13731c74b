import { Button } from '@mantine/core';
import { useState } from 'react';
import { LinkProblem, SignedOutFrame, useCheckedLink } from '#features/accounts/web/signed-out-frame.tsx';
import type {
  confirmSubscription,
  readConfirmation,
  readSubscription,
  unsubscribe,
} from '#features/watch/watch.contract.ts';
import { m } from '#shared/texts/messages.js';
import { call } from '#web/client/api-client.ts';
import { describeFailure } from '#web/client/failure.ts';
import { useSubmit } from '#web/client/submit.ts';
import layout from '#web/styles/layout.module.css';
import { Outcome } from '#web/ui/feedback/outcome.tsx';
import { Skeleton } from '#web/ui/feedback/skeleton.tsx';

const unsubscribing = {
  title: m.watch_unsubscribe,
  text: m.watch_unsubscribe_text,
  busy: m.watch_unsubscribing,
  failed: m.watch_unsubscribe_failed,
  read: (token: string) => call<typeof readSubscription>('GET /unsubscribe/{token}', { params: { token } }),
  send: (token: string) => call<typeof unsubscribe>('POST /unsubscribe/{token}', { params: { token } }),
};
const confirming = {
  title: m.watch_confirm,
  text: m.watch_confirm_text,
  busy: m.watch_confirming,
  failed: m.watch_confirm_failed,
  read: (token: string) => call<typeof readConfirmation>('GET /subscribe/{token}', { params: { token } }),
  send: (token: string) => call<typeof confirmSubscription>('POST /subscribe/{token}', { params: { token } }),
};

/**
 * Asks whether to remove an address from a digest, or to send it again. It waits for a button, because mail programs
 * follow links.
 */
export default function SubscriptionPage({ token, leaves }: { token: string; leaves: boolean }) {
  const subject = leaves ? unsubscribing : confirming;
  const [done, setDone] = useState<string | null>(null);
  const { answer, problem } = useCheckedLink(token, subject.failed(), () => subject.read(token));
  const { busy, error, submit } = useSubmit({
    send: async () => setDone((await subject.send(token)).message),
    fallback: subject.failed(),
    describeError: describeFailure,
  });

  return (
    <SignedOutFrame title={subject.title()} subtitle="">
      {answer === null && problem === null && <Skeleton height={36} count={2} />}
      {problem !== null && <LinkProblem {...problem} />}
      {done !== null && <Outcome tone="success">{done}</Outcome>}
      {answer !== null && done === null && (
        <form className={layout.stack} onSubmit={submit}>
          {error !== null && <Outcome tone="error">{error}</Outcome>}
          <p>{subject.text({ address: answer.address, company: answer.company_name })}</p>
          <Button type="submit" size="md" disabled={busy}>
            {busy ? subject.busy() : subject.title()}
          </Button>
        </form>
      )}
    </SignedOutFrame>
  );
}
