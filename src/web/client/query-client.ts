import { QueryClient } from '@tanstack/react-query';

/**
 * The cache of one session's reads. Nothing is repeated behind the user's back: a failure shows at once, with Retry.
 * Pages that left the screen are dropped soon, so that paging through 1000-row pages does not pile up memory.
 */
export function createQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: { retry: false, refetchOnWindowFocus: false, networkMode: 'always', gcTime: 10_000 },
      mutations: { retry: false, networkMode: 'always' },
    },
  });
}
