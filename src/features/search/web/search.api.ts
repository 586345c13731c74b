import { queryOptions } from '@tanstack/react-query';
import type { search } from '#features/search/search.contract.ts';
import { call } from '#web/client/api-client.ts';

/** The server looks for nothing shorter. */
export const leastTyped = 3;

/** Devices, tickets and companies by a part of what names them. */
export function searchQuery(q: string) {
  return queryOptions({
    queryKey: ['search', q],
    queryFn: ({ signal }) => call<typeof search>('GET /search', { query: { q } }, signal),
    enabled: q.length >= leastTyped,
  });
}
