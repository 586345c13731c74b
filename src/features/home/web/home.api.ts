import type * as contract from '#features/home/home.contract.ts';
import { ticketsKey } from '#features/tickets/web/tickets.api.ts';
import { read } from '#web/client/read.ts';

const homeKey = [...ticketsKey, 'home'];

export const homeSummaryQuery = read<typeof contract.getHomeSummary>(homeKey, 'GET /home/summary', {});

/** The figures of Home that tickets can be listed for; all but `failed` belong to a day or a month. */
export const figures = ['failed', 'processed', 'revenue'] as const;
export type Figure = (typeof figures)[number];

/** The tickets behind a figure of a day (`YYYY-MM-DD`) or a month (`YYYY-MM`). */
export function figureQuery(figure: Figure, period: string) {
  switch (figure) {
    case 'failed':
      return read<typeof contract.listFailedByTicket>(homeKey, 'GET /home/failed', {});
    case 'processed':
      return read<typeof contract.listProcessedByTicket>(homeKey, 'GET /home/processed', {
        query: { day: period },
      });
    case 'revenue':
      return read<typeof contract.listRevenueByTicket>(homeKey, 'GET /home/revenue', {
        query: { month: period },
      });
  }
}
