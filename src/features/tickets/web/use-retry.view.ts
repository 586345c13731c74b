import { useState } from 'react';
import type { retryTicket, Ticket } from '#features/tickets/tickets.contract.ts';
import { m } from '#shared/texts/messages.js';
import { call } from '#web/client/api-client.ts';
import { useAct } from '#web/client/use-act.ts';
import { toast } from '#web/ui/feedback/toast.tsx';
import { useFocusAfter } from '#web/ui/overlay/move-focus.ts';
import { nameNumbered } from './name-ticket.view.ts';
import { ticketsKey } from './tickets.api.ts';

export function useRetry() {
  const [retrying, setRetrying] = useState<ReadonlySet<string>>(new Set());
  const act = useAct(ticketsKey);
  useFocusAfter(retrying.size > 0);

  const retry = async (ticket: Ticket) => {
    const { _id } = ticket;
    setRetrying((before) => new Set([...before, _id]));
    await act(async () => {
      await call<typeof retryTicket>('POST /tickets/{id}/retry', { params: { id: _id } });
      toast.success(m.tickets_retried({ ticket: nameNumbered(ticket) }));
    }, m.tickets_retry_failed());
    setRetrying((before) => new Set([...before].filter((id) => id !== _id)));
  };
  return { retry, retrying };
}
