import type { listProxySets } from '#features/proxies/proxies.contract.ts';
import { polled } from '#web/client/query-client.ts';
import { read } from '#web/client/read.ts';

export const proxySets = { ...polled, ...read<typeof listProxySets>(['proxies'], 'GET /proxies/sets', {}) };
