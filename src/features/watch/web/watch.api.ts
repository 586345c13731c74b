import { queryOptions } from '@tanstack/react-query';
import type * as contract from '#features/watch/watch.contract.ts';
import { call } from '#web/client/api-client.ts';

export type { Watch } from '#features/watch/watch.contract.ts';

/** The expiry watch of a company. */
export const watchQuery = (companyCode: string) =>
  queryOptions({
    queryKey: ['watch', companyCode],
    queryFn: ({ signal }) =>
      call<typeof contract.getWatch>(
        'GET /watch/{company_code}',
        { params: { company_code: companyCode } },
        signal,
      ),
  });

export const putWatch = (companyCode: string, settings: contract.WatchChange) =>
  call<typeof contract.putWatch>('PUT /watch/{company_code}', {
    params: { company_code: companyCode },
    body: settings,
  });

export const renewWatch = (companyCode: string) =>
  call<typeof contract.renewWatch>('POST /watch/{company_code}/renew', {
    params: { company_code: companyCode },
  });

export const readSubscription = (token: string) =>
  call<typeof contract.readSubscription>('GET /unsubscribe/{token}', { params: { token } });

export const unsubscribe = (token: string) =>
  call<typeof contract.unsubscribe>('POST /unsubscribe/{token}', { params: { token } });
