import { queryOptions } from '@tanstack/react-query';
import type { getHomeSummary } from '#features/home/home.contract.ts';
import { call } from '#web/api-client.ts';

/** The figures behind the pictures on Home. */
export function homeSummaryQuery() {
  return queryOptions({
    queryKey: ['home'],
    queryFn: ({ signal }) => call<typeof getHomeSummary>('GET /home/summary', {}, signal),
  });
}
