import type { listTokens, listUserTokens } from '#features/accounts/tokens.contract.ts';
import { polled, readPage } from '#web/client/read.ts';

export const tokenPage = (page: number, limit: number) =>
  polled(readPage<typeof listTokens>(['tokens'], 'GET /tokens', { query: { page, limit } }));

export const userTokenPage = (id: string, page: number, limit: number) =>
  polled(
    readPage<typeof listUserTokens>(['tokens', id], 'GET /users/{id}/tokens', {
      params: { id },
      query: { page, limit },
    }),
  );
