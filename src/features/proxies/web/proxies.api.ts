import { queryOptions } from '@tanstack/react-query';
import type * as contract from '#features/proxies/proxies.contract.ts';
import { call } from '#web/client/api-client.ts';
import { upload } from '#web/client/upload.ts';

const refreshMs = 60_000;

/** Every proxy set; read again each minute, for time passes and sets expire. */
export const proxySets = queryOptions({
  queryKey: ['proxies'],
  queryFn: ({ signal }) => call<typeof contract.listProxySets>('GET /proxies/sets', {}, signal),
  refetchInterval: refreshMs,
});

export const deleteProxySet = (name: string) =>
  call<typeof contract.deleteProxySet>('DELETE /proxies/{proxy_set}', { params: { proxy_set: name } });

export function uploadProxyFile(file: File) {
  const form = new FormData();
  form.set('file', file);
  return upload<typeof contract.uploadProxies>('POST /proxies/upload', { form });
}
