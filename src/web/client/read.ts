import { type QueryClient, type QueryKey, queryOptions } from '@tanstack/react-query';
import type { Endpoint } from '#shared/endpoint.ts';
import { type CallInput, call } from './api-client.ts';

type Area = readonly (string | number)[];

/** Describes a read for `useQuery`. Its key begins with its area, by which writes invalidate it. */
export function read<E extends Endpoint>(area: Area, route: E['route'], input: CallInput<E>) {
  const queryKey: QueryKey = [...area, route, input];
  return queryOptions({ queryKey, queryFn: ({ signal }) => call<E>(route, input, signal) });
}

/** Describes a read whose data stay on screen until the data of another input, in the same area, have arrived. */
export function readPage<E extends Endpoint>(area: Area, route: E['route'], input: CallInput<E>) {
  return queryOptions({
    ...read<E>(area, route, input),
    placeholderData: (before, query) =>
      area.every((part, index) => query?.queryKey[index] === part) ? before : undefined,
  });
}

/** Stores the answer to a save as that of the read. A running read is cancelled: it may have begun before the save. */
export async function storeAnswer<T>(queries: QueryClient, { queryKey }: { queryKey: QueryKey }, answer: T) {
  await queries.cancelQueries({ queryKey });
  queries.setQueryData<T>(queryKey, answer);
}

/** Marks a read whose changes no revision announces: each poll of the activity repeats it while it is on screen. */
export function polled<Q extends object>(query: Q) {
  return { ...query, meta: { polled: true } };
}
