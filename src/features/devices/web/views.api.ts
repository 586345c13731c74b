import type { listViews } from '#features/devices/views.contract.ts';
import type { Answer } from '#shared/endpoint.ts';
import { readPage } from '#web/client/read.ts';

export type ListedView = Answer<typeof listViews>['data'][number];

export const viewsKey = ['devices', 'views'];

/** More than a company can show in a row; others stay reachable by their address. */
const viewsAtMost = 200;

const viewsOf = (counts: '0' | '1') =>
  readPage<typeof listViews>(viewsKey, 'GET /views', { query: { page: 1, limit: viewsAtMost, counts } });

export const viewsQuery = viewsOf('0');

/** The views with their numbers of devices, which may take long to count. */
export const countedViewsQuery = viewsOf('1');
