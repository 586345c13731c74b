import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { Progress } from '#features/tickets/tickets.contract.ts';
import { mayRetry } from '#features/tickets/web/ticket-rules.view.ts';
import { useRetry } from '#features/tickets/web/use-retry.view.ts';
import { m } from '#shared/texts/messages.js';
import { useUser } from '#web/client/session.ts';
import { countsQuery } from '../results.api.ts';

type Props = {
  progress: Pick<Progress, 'ticket_number' | 'done' | 'failed'>;
  describedBy?: string;
};

/** A button that looks up the failed rows of a ticket again. Shown to users who may do so, if it can change anything. */
export function RetryFailed({ progress: { ticket_number: number, done, failed }, describedBy }: Props) {
  const { superadmin } = useUser();
  const { retry, retrying } = useRetry();
  const { data } = useQuery({ ...countsQuery(number, done + failed), enabled: superadmin && failed > 0 });
  const ticket = data?.ticket;
  if (!superadmin || !ticket || !mayRetry(ticket) || !data.counts?.reasons['Source unavailable']) return null;
  const busy = retrying.has(ticket._id);
  return (
    <Button
      size="compact-sm"
      variant="default"
      disabled={busy}
      aria-busy={busy}
      aria-describedby={describedBy}
      onClick={() => retry(ticket)}
    >
      {busy ? m.tickets_retrying() : m.tickets_retry()}
    </Button>
  );
}
