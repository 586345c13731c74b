import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { findTicketsQuery } from '../tickets.api.ts';

/**
 * Finds the latest import of the same company and kind (upload, paste or recheck) among the tickets made before a ticket.
 * It stays the same while the screen is open, also if it is deleted.
 * @returns its number; empty without one, undefined while loading
 */
export function useEarlierTicket(number: string): string | undefined {
  const ticketRead = useQuery(findTicketsQuery({ ticket_number: number }));
  const [ticket] = ticketRead.data ?? [];
  const isImported = ticket !== undefined && ticket.kind !== 'order';
  const earlier = useQuery({
    ...findTicketsQuery({
      company_code: ticket?.company_code,
      kind: ticket?.kind,
      before: number,
      coverage_deleted: 'false',
      limit: 1,
    }),
    enabled: isImported,
  });
  const earlierNumber = earlier.data?.[0]?.ticket_number ?? '';
  const [first, setFirst] = useState({ of: '', found: '' });
  if (earlierNumber !== '' && first.of !== number) setFirst({ of: number, found: earlierNumber });
  if (first.of === number) return first.found;
  return ticketRead.isPending || earlier.isLoading ? undefined : earlierNumber;
}
