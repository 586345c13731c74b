import { z } from 'zod';
import { companyParams } from '#shared/answers.ts';
import { endpoint } from '#shared/endpoint.ts';
import { maxBudget } from './budgets.shared.ts';

const monthlyRupiah = z
  .int()
  .min(0)
  .max(maxBudget)
  .nullable()
  .describe('The most that the imports of a month may cost, in whole rupiah; null for no limit');

const budget = z
  .object({
    monthly_rupiah: monthlyRupiah,
    used: z.int().describe('The price of this month’s valid rows at import, in whole rupiah'),
    month: z.string().describe('The present month of APP_TIMEZONE, as `YYYY-MM`'),
  })
  .meta({
    id: 'Budget',
    description: 'The budget of a company for a month, and what its imports used of it',
  });
export type Budget = z.infer<typeof budget>;

/** The warning in the answer of an import. */
export const budgetWarning = z
  .object({ monthly_rupiah: z.int(), used: z.int().describe('Including this import') })
  .describe('Present from 80 percent of the budget of the month on');

export const getBudget = endpoint({
  route: 'GET /budgets/{company_code}',
  access: 'signed-in',
  summary: 'Read the monthly budget of a company and what this month’s imports used of it',
  params: companyParams,
  tagged: true,
  response: budget,
  failures: [404],
});

export const putBudget = endpoint({
  route: 'PUT /budgets/{company_code}',
  access: 'superadmin',
  summary: 'Set the monthly budget of a company; imports beyond it are refused',
  params: companyParams,
  body: z
    .object({ monthly_rupiah: monthlyRupiah })
    .meta({ id: 'BudgetLimit', examples: [{ monthly_rupiah: 5_000_000 }] }),
  response: budget,
  failures: [404],
});
