import { z } from 'zod';
import { endpoint } from '#shared/endpoint.ts';

/**
 * The pictures on Home, within the caller's scope: devices by activation, coverage that ends in each of the next 24
 * months (this month first), and for superadmins serials finished on each of the last 30 days, revenue (rupiah,
 * after discount) of the ten companies with the most, and that of this month's tickets.
 */
const homeSummary = z.object({
  devices: z.object({ activated: z.int(), unactivated: z.int(), unknown: z.int(), failed: z.int() }),
  coverage_ending: z.array(z.object({ month: z.string(), devices: z.int() })),
  serials_per_day: z.array(z.object({ day: z.string(), serials: z.int() })).nullable(),
  revenue: z
    .array(z.object({ company_code: z.string(), company_name: z.string(), total_amount: z.number() }))
    .nullable(),
  revenue_month: z.object({ month: z.string(), tickets: z.int(), total_amount: z.number() }).nullable(),
});
export type HomeSummary = z.infer<typeof homeSummary>;

export const getHomeSummary = endpoint({
  method: 'GET',
  path: '/home/summary',
  access: 'signed-in',
  summary: 'Figures for the pictures on Home, from kept aggregates',
  response: homeSummary,
});

const month = z.string().regex(/^\d{4}-(?:0[1-9]|1[0-2])$/);

/** The tickets that a figure is added up from: the 100 that have most of it, and how many there are. */
const figureByTicket = z.object({
  data: z.array(
    z.object({
      ticket_number: z.string(),
      company_code: z.string(),
      file_name: z.string().nullable(),
      value: z.number(),
    }),
  ),
  tickets: z.int(),
});
export type FigureByTicket = z.infer<typeof figureByTicket>;

export const listDevicesByTicket = endpoint({
  method: 'GET',
  path: '/home/devices',
  access: 'signed-in',
  summary: 'Devices of one activation by ticket',
  query: z.object({ activation: z.enum(['activated', 'unactivated', 'unknown', 'failed']) }),
  response: figureByTicket,
});

export const listEndingByTicket = endpoint({
  method: 'GET',
  path: '/home/ending',
  access: 'signed-in',
  summary: 'Devices whose coverage ends in a month, by ticket',
  query: z.object({ month }),
  response: figureByTicket,
});

export const listProcessedByTicket = endpoint({
  method: 'GET',
  path: '/home/processed',
  access: 'superadmin',
  summary: 'Serials that got their result on a day of APP_TIMEZONE, by ticket',
  query: z.object({ day: z.iso.date() }),
  response: figureByTicket,
});

export const listRevenueByTicket = endpoint({
  method: 'GET',
  path: '/home/revenue',
  access: 'superadmin',
  summary: 'Revenue of the tickets made in a month of APP_TIMEZONE, in rupiah after discount, by ticket',
  query: z.object({ month }),
  response: figureByTicket,
});
