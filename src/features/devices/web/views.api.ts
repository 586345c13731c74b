import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import type * as contract from '#features/devices/views.contract.ts';
import type { Answer } from '#shared/endpoint.ts';
import { call } from '#web/client/api-client.ts';

export type CountedView = Answer<typeof contract.listViews>['data'][number];

/** More than a company can show in a row; others stay reachable by their address. */
const viewsAtMost = 200;

/** The views that the user sees, with their counts. */
export const viewsQuery = queryOptions({
  queryKey: ['devices', 'views'],
  queryFn: ({ signal }) =>
    call<typeof contract.listViews>('GET /views', { query: { page: 1, limit: viewsAtMost } }, signal),
  placeholderData: keepPreviousData,
});

type ViewFields = { name: string; query: string; shared: boolean };

export const createView = (view: ViewFields) =>
  call<typeof contract.createView>('POST /views', { body: { screen: 'devices', ...view } });

export const updateView = (id: string, change: Partial<ViewFields>) =>
  call<typeof contract.updateView>('PUT /views/{id}', { params: { id }, body: change });

export const deleteView = (id: string) =>
  call<typeof contract.deleteView>('DELETE /views/{id}', { params: { id } });
