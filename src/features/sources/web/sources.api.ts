import type { listSources } from '#features/sources/sources.contract.ts';
import { read } from '#web/client/read.ts';

const refreshMs = 5000;

/** Every source and its state, read again every 5 seconds. */
export const sources = {
  ...read<typeof listSources>(['sources'], 'GET /sources', {}),
  refetchInterval: refreshMs,
};
