import type { getWatch } from '#features/watch/watch.contract.ts';
import { polled, read } from '#web/client/read.ts';

/** The expiry watch of a company. No revision announces a change of it. */
export const watchQuery = (company_code: string) =>
  polled(read<typeof getWatch>(['watch'], 'GET /watch/{company_code}', { params: { company_code } }));
