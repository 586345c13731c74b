import type * as contract from '#features/home/home.contract.ts';
import { ticketsKey } from '#features/tickets/web/tickets.api.ts';
import { read } from '#web/client/read.ts';

const homeKey = [...ticketsKey, 'home'];

export const homeSummaryQuery = read<typeof contract.getHomeSummary>(homeKey, 'GET /home/summary', {});

/** The figures of Home that tickets can be listed for; all but the activations belong to a month or a day. */
export const figures = [
  'activated',
  'unactivated',
  'unknown',
  'failed',
  'ending',
  'processed',
  'revenue',
] as const;
export type Figure = (typeof figures)[number];

/** The tickets behind a figure of a month (`YYYY-MM`), of a day or, for coverage that ends, from a day (`YYYY-MM-DD`) on. */
export function figureQuery(figure: Figure, period: string) {
  switch (figure) {
    case 'ending':
      return read<typeof contract.listEndingByTicket>(homeKey, 'GET /home/ending', {
        query: { from: period },
      });
    case 'processed':
      return read<typeof contract.listProcessedByTicket>(homeKey, 'GET /home/processed', {
        query: { day: period },
      });
    case 'revenue':
      return read<typeof contract.listRevenueByTicket>(homeKey, 'GET /home/revenue', {
        query: { month: period },
      });
    default:
      return read<typeof contract.listDevicesByTicket>(homeKey, 'GET /home/devices', {
        query: { activation: figure },
      });
  }
}
