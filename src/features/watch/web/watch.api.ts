import type { getWatch } from '#features/watch/watch.contract.ts';
import { read } from '#web/client/read.ts';

export const watchQuery = (company_code: string) =>
  read<typeof getWatch>(['watch'], 'GET /watch/{company_code}', { params: { company_code } });
