import type { getStatus } from '#features/operations/operations.contract.ts';
import { read } from '#web/client/read.ts';

const refreshMs = 10_000;

/** The state of the operation, read again every 10 seconds. */
export const productStatus = {
  ...read<typeof getStatus>(['status'], 'GET /status', {}),
  refetchInterval: refreshMs,
};
