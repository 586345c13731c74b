import { useQuery } from '@tanstack/react-query';
import type { TicketMatch } from '#features/tickets/tickets.contract.ts';
import { m } from '#shared/texts/messages.js';
import { findTicketsQuery, type TicketQuery } from '../tickets.api.ts';

/**
 * Finds the newest tickets that match a text, and the one whose number it is, for which newer tickets may leave no room.
 * Without a text, the newest.
 */
export function useTicketSearch(text: string, among: TicketQuery = {}) {
  const q = numberIn(text);
  const matches = useQuery(findTicketsQuery(q === '' ? among : { ...among, q }));
  const exact = useQuery(numberedQuery(q, matches.data, among));
  const failed = [matches, exact].find(({ isError }) => isError);
  return {
    tickets: [...(exact.data ?? []), ...(matches.data ?? [])],
    isLoading: matches.isPending || exact.isLoading,
    error: failed?.error ?? null,
    retry: () => void failed?.refetch(),
  };
}

/** Returns the number in a text like "ticket 7" or "#7", and any other text unchanged. */
function numberIn(text: string): string {
  const word = m.tickets_number({ number: '' }).trim().toLowerCase();
  const [, prefix, number] = /^(\D*)(\d+)$/.exec(text) ?? [];
  return number !== undefined && ['#', word].includes(prefix?.trim().toLowerCase() ?? '') ? number : text;
}

/** Reads the ticket with a number, unless it is in a list already or the list is still being read. */
export function numberedQuery(
  number: string,
  listed: readonly TicketMatch[] | undefined,
  among: TicketQuery = {},
) {
  const isMissing = listed !== undefined && !listed.some((ticket) => ticket.ticket_number === number);
  return {
    ...findTicketsQuery({ ...among, ticket_number: number }),
    enabled: /^\d{1,15}$/.test(number) && isMissing,
  };
}
