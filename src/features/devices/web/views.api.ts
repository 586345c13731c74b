import type { listViews } from '#features/devices/views.contract.ts';
import type { Answer } from '#shared/endpoint.ts';
import { readPage } from '#web/client/read.ts';

export type CountedView = Answer<typeof listViews>['data'][number];

/** More than a company can show in a row; others stay reachable by their address. */
const viewsAtMost = 200;

export const viewsQuery = readPage<typeof listViews>(['devices', 'views'], 'GET /views', {
  query: { page: 1, limit: viewsAtMost },
});
