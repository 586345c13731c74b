import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import type * as contract from '#features/accounts/tokens.contract.ts';
import type { Body } from '#shared/endpoint.ts';
import { call } from '#web/client/api-client.ts';
import { polled } from '#web/client/query-client.ts';

export type { ApiToken } from '#features/accounts/tokens.contract.ts';

/** One page of the user's API tokens; the page before stays on screen until the next one is there. */
export const tokenPage = (page: number, limit: number) =>
  queryOptions({
    ...polled,
    queryKey: ['tokens', page, limit],
    queryFn: ({ signal }) =>
      call<typeof contract.listTokens>('GET /tokens', { query: { page, limit } }, signal),
    placeholderData: keepPreviousData,
  });

export const createToken = (body: Body<typeof contract.createToken>) =>
  call<typeof contract.createToken>('POST /tokens', { body });

export const deleteToken = (id: string) =>
  call<typeof contract.deleteToken>('DELETE /tokens/{id}', { params: { id } });
