import type { getBudget } from '#features/clients/budgets.contract.ts';
import { polled, read } from '#web/client/read.ts';

/** The budget of a company. Changes of tickets repeat reads below `clients`, but no revision announces another limit. */
export const budgetQuery = (company_code: string) =>
  polled(read<typeof getBudget>(['clients'], 'GET /budgets/{company_code}', { params: { company_code } }));
