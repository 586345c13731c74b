import { useQuery } from '@tanstack/react-query';
import { countsQuery } from '#features/results/web/results.api.ts';
import type { Progress, Ticket } from '#features/tickets/tickets.contract.ts';
import { useUser } from '#web/session.ts';
import { mayRetry } from './ticket-rules.ts';

type Retryable = {
  /** The ticket, where the reader may have it looked up again and anything of it would be. */
  ticket: Ticket | undefined;
  /** Its rows that failed for the one reason for which they are looked up again (docs/rules.md, Tickets). */
  unavailable: number;
};

/** Whether a retry of a ticket would change anything, which its rows tell. */
export function useRetryable(
  { ticket_number: number, done, failed }: Pick<Progress, 'ticket_number' | 'done' | 'failed'>,
  enabled: boolean,
): Retryable {
  const { superadmin } = useUser();
  const { data } = useQuery({ ...countsQuery(number, done + failed), enabled: superadmin && enabled });
  const unavailable = data?.counts?.reasons['Source unavailable'] ?? 0;
  const ticket = data?.ticket;
  const left = unavailable + (data?.counts?.pending ?? 0);
  const may = superadmin && ticket && left > 0 && mayRetry(ticket);
  return { ticket: may ? ticket : undefined, unavailable };
}
