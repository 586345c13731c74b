import { queryOptions } from '@tanstack/react-query';
import type * as contract from '#features/results/results.contract.ts';
import { ticketsKey } from '#features/tickets/web/tickets.api.ts';
import type { Input } from '#shared/endpoint.ts';
import { longestSearch } from '#shared/search.ts';
import { remembered, storedPageSize } from '#web/address/search-params.ts';
import { call } from '#web/client/api-client.ts';
import { type DownloadOptions, download } from '#web/client/download.ts';

const pageSizes = [10, 50, 100, 500, 1000] as const;

/** How many rows a page of results has. */
export const rowsOnPage = { sizes: pageSizes, param: remembered(pageSizes, 10, storedPageSize) };

type ResultsQuery = NonNullable<Input<typeof contract.listResults>['query']> & {
  ticket_number: string | undefined;
};

/** Everything about results is cached under this key. */
const resultsKey = [...ticketsKey, 'results'] as const;

/**
 * One page of a ticket's rows. While another page of the same ticket is on its way, the present rows stay on screen;
 * another ticket's never do.
 */
export function resultsQuery(query: ResultsQuery) {
  return queryOptions({
    queryKey: [...resultsKey, query.ticket_number, query],
    queryFn: ({ signal }) => {
      // An address may hold any text.
      const cut = (value: string | undefined) => value?.slice(0, longestSearch);
      const { q, reason, type, warranty } = query;
      const texts = { q: cut(q), reason: cut(reason), type: cut(type), warranty: cut(warranty) };
      return call<typeof contract.listResults>('GET /imei', { query: { ...query, ...texts } }, signal);
    },
    // A page that was read less than a second ago is not read again.
    staleTime: 1000,
    placeholderData: (before, beforeQuery) =>
      beforeQuery?.queryKey[2] === query.ticket_number ? before : undefined,
  });
}

/**
 * The counts of all rows of a ticket and the values of its filters, read once per `version`. The previous ones stay on
 * screen until then.
 */
export function countsQuery(ticketNumber: string | undefined, version: number) {
  return queryOptions({
    queryKey: [...resultsKey, ticketNumber, 'counts', version],
    queryFn: ({ signal }) =>
      call<typeof contract.listResults>(
        'GET /imei',
        { query: { ticket_number: ticketNumber, limit: 1, counts: '1' } },
        signal,
      ),
    enabled: ticketNumber !== undefined,
    gcTime: 0,
    placeholderData: (before, beforeQuery) =>
      beforeQuery?.queryKey[2] === ticketNumber ? before : undefined,
  });
}

/** Two tickets beside each other, by their numbers. */
export function comparisonQuery(first: string, second: string) {
  return queryOptions({
    queryKey: [...resultsKey, 'comparison', first, second],
    queryFn: ({ signal }) =>
      call<typeof contract.compareTickets>(
        'GET /tickets/compare',
        { query: { tickets: `${first},${second}` } },
        signal,
      ),
  });
}

/** Why rows failed and how many, the commonest first. */
export function listReasons(counts: contract.RowCounts | undefined): [reason: string, count: number][] {
  return Object.entries(counts?.reasons ?? {}).sort(([, one], [, other]) => other - one);
}

/** Deletes the results of a ticket; the server refuses while it is being processed. */
export const deleteResults = (ticketNumber: string) =>
  call<typeof contract.deleteResults>('DELETE /imei/{ticket_number}', {
    params: { ticket_number: ticketNumber },
  });

export type DownloadFormat = 'excel' | 'json';
type DownloadQuery = NonNullable<Input<typeof contract.downloadResults>['query']>;

/** Saves rows of a ticket as a file, filtered and sorted by `asked`. */
export const downloadResults = (
  ticketNumber: string,
  format: DownloadFormat,
  asked: Omit<DownloadQuery, 'ticket_number' | 'format'>,
  options: DownloadOptions,
) =>
  download<typeof contract.downloadResults>(
    'GET /imei/download',
    { query: { ticket_number: ticketNumber, format, ...asked } },
    options,
  );

/** Whether the uploaded sheet of a ticket is still kept. */
export function originalQuery(ticket: string) {
  return queryOptions({
    queryKey: [...resultsKey, ticket, 'original'],
    queryFn: ({ signal }) =>
      call<typeof contract.getOriginal>('GET /data/{ticket}/original', { params: { ticket } }, signal),
  });
}

/** Saves the uploaded sheet of a ticket with its results. */
export const downloadAnnotated = (ticket: string, options: DownloadOptions) =>
  download<typeof contract.downloadAnnotated>(
    'GET /data/{ticket}/annotated',
    { params: { ticket } },
    options,
  );
