import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { retryTicket, Ticket } from '#features/tickets/tickets.contract.ts';
import { m } from '#shared/texts/messages.js';
import { call } from '#web/client/api-client.ts';
import { describeFailure } from '#web/client/failure.ts';
import { toast } from '#web/ui/feedback/toast.tsx';
import { nameNumbered } from './name-ticket.view.ts';
import { ticketsKey } from './tickets.api.ts';

export function useRetry() {
  const [retrying, setRetrying] = useState<ReadonlySet<string>>(new Set());
  const queries = useQueryClient();

  const retry = async (ticket: Ticket) => {
    const { _id } = ticket;
    setRetrying((before) => new Set([...before, _id]));
    try {
      await call<typeof retryTicket>('POST /tickets/{id}/retry', { params: { id: _id } });
      toast.success(m.tickets_retried({ ticket: nameNumbered(ticket) }));
    } catch (failure) {
      toast.error(describeFailure(failure, m.tickets_retry_failed()));
    }
    await queries.invalidateQueries({ queryKey: ticketsKey });
    setRetrying((before) => new Set([...before].filter((id) => id !== _id)));
  };
  return { retry, retrying };
}
