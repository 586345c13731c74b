import { queryOptions } from '@tanstack/react-query';
import type * as contract from '#features/proxies/proxies.contract.ts';
import { call } from '#web/client/api-client.ts';
import { polled } from '#web/client/query-client.ts';
import { upload } from '#web/client/upload.ts';

/** Every proxy set. */
export const proxySets = queryOptions({
  ...polled,
  queryKey: ['proxies'],
  queryFn: ({ signal }) => call<typeof contract.listProxySets>('GET /proxies/sets', {}, signal),
});

export const deleteProxySet = (name: string) =>
  call<typeof contract.deleteProxySet>('DELETE /proxies/{proxy_set}', { params: { proxy_set: name } });

export function uploadProxyFile(file: File) {
  const form = new FormData();
  form.set('file', file);
  return upload<typeof contract.uploadProxies>('POST /proxies/upload', { form });
}
