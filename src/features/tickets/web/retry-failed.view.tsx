import { Button } from '@mantine/core';
import type { Progress } from '#features/tickets/tickets.contract.ts';
import { m } from '#shared/texts/messages.js';
import { useRetry } from './use-retry.ts';
import { useRetryable } from './use-retryable.ts';

type Props = {
  progress: Pick<Progress, 'ticket_number' | 'done' | 'failed'>;
  /** What names the ticket, where several stand beside each other. */
  describedBy?: string;
};

/** Looks the failed rows of a ticket up again, for who may and where that can change anything. */
export function RetryFailed({ progress, describedBy }: Props) {
  const { retry, retrying } = useRetry();
  const { ticket, unavailable } = useRetryable(progress, progress.failed > 0);
  if (!ticket || unavailable === 0) return null;
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
