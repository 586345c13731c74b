import type { getTerms } from '#features/clients/terms.contract.ts';
import { polled, read } from '#web/client/read.ts';

/** The terms of a company. No revision announces a change of them. */
export const termsQuery = (company_code: string) =>
  polled(read<typeof getTerms>(['clients'], 'GET /terms/{company_code}', { params: { company_code } }));
