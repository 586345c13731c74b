import { z } from 'zod';
import { endpoint } from '#shared/endpoint.ts';

/**
 * The pictures on Home, within the caller's scope: devices by activation, coverage that ends in each of the next 24
 * months (this month first), and for superadmins serials finished on each of the last 30 days and revenue (rupiah,
 * after discount) of the ten companies with the most.
 */
const homeSummary = z.object({
  devices: z.object({ activated: z.int(), unactivated: z.int(), unknown: z.int(), failed: z.int() }),
  coverage_ending: z.array(z.object({ month: z.string(), devices: z.int() })),
  serials_per_day: z.array(z.object({ day: z.string(), serials: z.int() })).nullable(),
  revenue: z
    .array(z.object({ company_code: z.string(), company_name: z.string(), total_amount: z.number() }))
    .nullable(),
});
export type HomeSummary = z.infer<typeof homeSummary>;

export const getHomeSummary = endpoint({
  method: 'GET',
  path: '/home/summary',
  access: 'signed-in',
  summary: 'Figures for the pictures on Home, from kept aggregates',
  response: homeSummary,
});
