import { queryOptions } from '@tanstack/react-query';
import type { listViews } from '#features/devices/views.contract.ts';
import type { Answer } from '#shared/endpoint.ts';
import { call } from '#web/client/api-client.ts';
import { readPage } from '#web/client/read.ts';

export type ListedView = Answer<typeof listViews>['data'][number];

export const viewsKey = ['devices', 'views'];

/** More than a company can show in a row; others stay reachable by their address. */
const viewsAtMost = 200;
/** Views that one call counts. A user has one slot for heavy reads, for which the list does not wait long then. */
const countedAtOnce = 5;

export const viewsQuery = readPage<typeof listViews>(viewsKey, 'GET /views', {
  query: { page: 1, limit: viewsAtMost, counts: '0' },
});

/** The numbers of devices of the first `viewsAtMost` views, by `_id`. */
export const viewCountsQuery = queryOptions({
  queryKey: [...viewsKey, 'counts'],
  queryFn: async ({ signal }) => {
    const counts: Record<string, number | undefined> = {};
    for (let page = 1; page <= viewsAtMost / countedAtOnce; page++) {
      const query = { page, limit: countedAtOnce, counts: '1' } as const;
      const { data, pagination } = await call<typeof listViews>('GET /views', { query }, signal);
      for (const { _id, count } of data) counts[_id] = count;
      if (!pagination.hasNextPage) break;
    }
    return counts;
  },
});
