import { QueryClient } from '@tanstack/react-query';

/**
 * Creates the cache of one session's reads. There are no hidden retries: a failure shows at once, with a Retry button. Reads
 * that left the screen are dropped soon, so that paging through pages of 1000 rows does not fill the memory.
 */
export function createQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: { retry: false, refetchOnWindowFocus: false, networkMode: 'always', gcTime: 10_000 },
    },
  });
}
