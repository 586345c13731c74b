import { queryOptions } from '@tanstack/react-query';
import type * as contract from '#features/operations/operations.contract.ts';
import { call } from '#web/client/api-client.ts';

const refreshMs = 10_000;

/** The state of the operation, read again every 10 seconds. */
export const productStatus = queryOptions({
  queryKey: ['status'],
  queryFn: ({ signal }) => call<typeof contract.getStatus>('GET /status', {}, signal),
  refetchInterval: refreshMs,
});
