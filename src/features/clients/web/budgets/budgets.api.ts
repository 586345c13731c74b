import { queryOptions } from '@tanstack/react-query';
import type * as contract from '#features/clients/budgets.contract.ts';
import { call } from '#web/client/api-client.ts';

/** The budget of a company. Imports change it, and every change of tickets reads keys below `clients` again. */
export const budgetQuery = (companyCode: string) =>
  queryOptions({
    queryKey: ['clients', 'budget', companyCode],
    queryFn: ({ signal }) =>
      call<typeof contract.getBudget>(
        'GET /budgets/{company_code}',
        { params: { company_code: companyCode } },
        signal,
      ),
  });

/** Sets the budget of a company; null for no limit. */
export const putBudget = (companyCode: string, limit: number | null) =>
  call<typeof contract.putBudget>('PUT /budgets/{company_code}', {
    params: { company_code: companyCode },
    body: { monthly_rupiah: limit },
  });
