import { z } from 'zod';
import { statementMonth } from '#features/statements/statements.contract.ts';
import { ticketKind } from '#features/tickets/tickets.contract.ts';
import { calendarDay } from '#shared/answers.ts';
import { endpoint } from '#shared/endpoint.ts';

const homeSummary = z
  .object({
    previous_sign_in: z
      .string()
      .nullable()
      .describe('The last sign-in before this session; null when none is kept'),
    serials_per_day: z
      .array(z.object({ day: z.string(), serials: z.int() }))
      .nullable()
      .describe('Serials finished on each of the last 30 days; null for standard users'),
    revenue: z
      .array(z.object({ company_code: z.string(), company_name: z.string(), total_amount: z.number() }))
      .nullable()
      .describe('The ten companies with the most revenue, in rupiah after discount; null for standard users'),
    revenue_month: z
      .object({ month: z.string(), tickets: z.int(), total_amount: z.number() })
      .nullable()
      .describe("Revenue of this month's tickets, in rupiah after discount; null for standard users"),
  })
  .meta({ id: 'HomeSummary', description: 'Figures of all tickets that the caller may see' });
export type HomeSummary = z.infer<typeof homeSummary>;

export const getHomeSummary = endpoint({
  route: 'GET /home/summary',
  access: 'signed-in',
  summary: 'Read the figures of the charts on Home',
  response: homeSummary,
});

const figureByTicket = z
  .object({
    data: z
      .array(
        z.object({
          ticket_number: z.string(),
          company_code: z.string(),
          file_name: z.string().nullable(),
          kind: ticketKind,
          total: z.int().describe('Rows imported; the expected count of an order'),
          date: z.string().describe('The instant when the ticket was made'),
          value: z.number().describe("The ticket's part of the figure: rows, serials or rupiah"),
        }),
      )
      .describe('The 100 tickets with the highest values'),
    tickets: z.int().describe('The number of tickets with a value above 0'),
  })
  .meta({ id: 'FigureByTicket', description: 'The tickets that add up to a figure' });
export type FigureByTicket = z.infer<typeof figureByTicket>;

export const listFailedByTicket = endpoint({
  route: 'GET /home/failed',
  access: 'signed-in',
  summary: 'List the tickets with failed rows',
  response: figureByTicket,
});

export const listProcessedByTicket = endpoint({
  route: 'GET /home/processed',
  access: 'superadmin',
  summary: 'List the tickets with serials finished on a day',
  query: z.object({ day: calendarDay.describe('A day of APP_TIMEZONE, as `YYYY-MM-DD`') }),
  response: figureByTicket,
});

export const listRevenueByTicket = endpoint({
  route: 'GET /home/revenue',
  access: 'superadmin',
  summary: 'List the tickets made in a month with their revenue, in rupiah after discount',
  query: z.object({ month: statementMonth }),
  response: figureByTicket,
});
