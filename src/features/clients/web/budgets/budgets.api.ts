import type { getBudget } from '#features/clients/budgets.contract.ts';
import { read } from '#web/client/read.ts';

/** The budget of a company. Imports change it, and every change of tickets reads keys below `clients` again. */
export const budgetQuery = (company_code: string) =>
  read<typeof getBudget>(['clients'], 'GET /budgets/{company_code}', { params: { company_code } });
