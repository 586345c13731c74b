import { queryOptions } from '@tanstack/react-query';
import type * as contract from '#features/home/home.contract.ts';
import { ticketsKey } from '#features/tickets/web/tickets.api.ts';
import { call } from '#web/client/api-client.ts';

const homeKey = [...ticketsKey, 'home'] as const;

/** The figures of the charts on Home. */
export function homeSummaryQuery() {
  return queryOptions({
    queryKey: homeKey,
    queryFn: ({ signal }) => call<typeof contract.getHomeSummary>('GET /home/summary', {}, signal),
  });
}

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
  return queryOptions({
    queryKey: [...homeKey, figure, period],
    queryFn: ({ signal }) => listTickets(figure, period, signal),
  });
}

function listTickets(figure: Figure, period: string, signal: AbortSignal) {
  switch (figure) {
    case 'ending':
      return call<typeof contract.listEndingByTicket>(
        'GET /home/ending',
        { query: { from: period } },
        signal,
      );
    case 'processed':
      return call<typeof contract.listProcessedByTicket>(
        'GET /home/processed',
        { query: { day: period } },
        signal,
      );
    case 'revenue':
      return call<typeof contract.listRevenueByTicket>(
        'GET /home/revenue',
        { query: { month: period } },
        signal,
      );
    default:
      return call<typeof contract.listDevicesByTicket>(
        'GET /home/devices',
        { query: { activation: figure } },
        signal,
      );
  }
}
