import type { listProxySets } from '#features/proxies/proxies.contract.ts';
import { polled, read } from '#web/client/read.ts';

export const proxySets = polled(read<typeof listProxySets>(['proxies'], 'GET /proxies/sets', {}));

/** The sets without their proxies: each reading of passwords is an entry of the audit log. */
export const proxySetTimes = polled(
  read<typeof listProxySets>(['proxies', 'times'], 'GET /proxies/sets', { query: { proxies: '0' } }),
);
