import { queryOptions } from '@tanstack/react-query';
import type { search } from '#features/search/search.contract.ts';
import type { Answer } from '#shared/endpoint.ts';
import { normalisePart } from '#shared/search.ts';
import { call } from '#web/client/api-client.ts';

export const leastTyped = 3;

export function searchQuery(q: string) {
  return queryOptions({
    queryKey: ['search', q],
    queryFn: async ({ signal }) => {
      const found: Answer<typeof search> = { devices: [], tickets: [], clients: [] };
      for (const part of splitSerials(q)) {
        const { devices, tickets, clients } = await call<typeof search>(
          'GET /search',
          { query: { q: part } },
          signal,
        );
        found.devices.push(...devices);
        found.tickets.push(...tickets);
        found.clients.push(...clients);
      }
      return found;
    },
    enabled: q.length >= leastTyped,
  });
}

/** Letters and digits, some of them digits, as long as a serial. */
const serial = /^(?=.*\d)[A-Z\d]{8,16}$/;

/** The serials of a text that is a list of them; any other text as it is. */
function splitSerials(text: string): string[] {
  // A field removes the line breaks of pasted text, so that IMEIs follow each other without a separator.
  const imeis = /^(?:\d{15}){2,}$/.test(text) ? text.match(/\d{15}/g) : null;
  const parts = imeis ?? text.split(/[\s,;|]+/).filter((part) => part !== '');
  return parts.length > 1 && parts.every((part) => serial.test(normalisePart(part)))
    ? [...new Set(parts)]
    : [text];
}
