import type * as contract from '#features/results/results.contract.ts';
import { ownValues } from '#features/tickets/web/changes.view.ts';
import { ticketsKey } from '#features/tickets/web/tickets.api.ts';
import { m } from '#shared/texts/messages.js';
import type { CallInput } from '#web/client/api-client.ts';
import { fileOf } from '#web/client/download.ts';
import { readPage } from '#web/client/read.ts';
import { useDownload } from '#web/client/use-download.ts';

type ResultsQuery = NonNullable<CallInput<typeof contract.listResults>['query']> & {
  ticket_number: string | undefined;
};

const resultsKey = [...ticketsKey, 'results'] as const;

/**
 * One page of a ticket's rows. While another page of the same ticket is on its way, the present rows stay on screen;
 * another ticket's never do.
 */
export function resultsQuery(query: ResultsQuery) {
  const area = [...resultsKey, query.ticket_number ?? ''];
  return {
    ...readPage<typeof contract.listResults>(area, 'GET /imei', { query }),
    meta: ownValues,
    // A page that was read less than a second ago is not read again.
    staleTime: 1000,
  };
}

/**
 * The counts of all rows of a ticket and the values of its filters, read once per `version`. The previous ones stay on
 * screen until then.
 */
export function countsQuery(ticketNumber: string | undefined, version: number) {
  const counts = readPage<typeof contract.listResults>([...resultsKey, ticketNumber ?? ''], 'GET /imei', {
    query: { ticket_number: ticketNumber, limit: 1, counts: '1' },
  });
  return {
    ...counts,
    queryKey: [...counts.queryKey, version],
    enabled: ticketNumber !== undefined,
    gcTime: 0,
  };
}

export function listReasons(counts: contract.RowCounts | undefined): [reason: string, count: number][] {
  return Object.entries(counts?.reasons ?? {}).sort(([, one], [, other]) => other - one);
}

export type DownloadFormat = 'excel' | 'json';
type DownloadQuery = NonNullable<CallInput<typeof contract.downloadResults>['query']>;

/** Returns the file of a ticket's rows, which `choice` narrows and sorts. */
export const resultsFile = (
  ticketNumber: string,
  format: DownloadFormat,
  choice: Omit<DownloadQuery, 'ticket_number' | 'format'> = {},
) =>
  fileOf<typeof contract.downloadResults>('GET /imei/download', {
    query: { ticket_number: ticketNumber, format, ...choice },
  });

/** Saves rows of tickets as files. Leaving the screen cancels a download, and says so. */
export function useResultsDownload() {
  const { running, save } = useDownload<DownloadFormat>({
    texts: { saved: m.data_downloaded(), failed: m.data_download_failed(), left: m.data_download_left() },
  });
  const saveResults = (
    ticketNumber: string,
    format: DownloadFormat,
    choice: Parameters<typeof resultsFile>[2] = {},
  ) => save(format, resultsFile(ticketNumber, format, choice));
  return { running, saveResults };
}
