import type { getRecheck } from '#features/rechecks/rechecks.contract.ts';
import { ticketsKey } from '#features/tickets/web/tickets.api.ts';
import { read } from '#web/client/read.ts';

/** The schedule of a company and its latest runs, which change with their tickets. */
export const recheckQuery = (company_code: string) =>
  read<typeof getRecheck>([...ticketsKey, 'rechecks'], 'GET /rechecks/{company_code}', {
    params: { company_code },
  });
