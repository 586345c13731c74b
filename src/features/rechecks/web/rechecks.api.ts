import type { getRecheck } from '#features/rechecks/rechecks.contract.ts';
import { read } from '#web/client/read.ts';

/** The schedule of a company, the number of its devices in the register, and its latest runs. */
export const recheckQuery = (company_code: string) =>
  read<typeof getRecheck>(['devices', 'rechecks'], 'GET /rechecks/{company_code}', {
    params: { company_code },
  });
