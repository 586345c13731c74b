import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import type * as contract from '#features/rechecks/rechecks.contract.ts';
import { ticketsKey } from '#features/tickets/web/tickets.api.ts';
import { call } from '#web/client/api-client.ts';
import { type DownloadOptions, download } from '#web/client/download.ts';

export type { ChangeKind, Recheck, RecheckChange, RecheckRun } from '#features/rechecks/rechecks.contract.ts';

/** The schedule of a company and its latest runs, which change with their tickets. */
export const recheckQuery = (companyCode: string) =>
  queryOptions({
    queryKey: [...ticketsKey, 'rechecks', companyCode],
    queryFn: ({ signal }) =>
      call<typeof contract.getRecheck>(
        'GET /rechecks/{company_code}',
        { params: { company_code: companyCode } },
        signal,
      ),
  });

export const putRecheck = (companyCode: string, settings: contract.RecheckSettings) =>
  call<typeof contract.putRecheck>('PUT /rechecks/{company_code}', {
    params: { company_code: companyCode },
    body: settings,
  });

export const runRecheck = (companyCode: string) =>
  call<typeof contract.runRecheck>('POST /rechecks/{company_code}/run', {
    params: { company_code: companyCode },
  });

/** The ticket of a report, and the kind that narrows it; empty for the latest ticket and all kinds. */
export type ShownChanges = { ticket: string; kind: contract.ChangeKind | '' };

const given = ({ ticket, kind }: ShownChanges) => ({
  ...(ticket !== '' && { ticket_number: ticket }),
  ...(kind !== '' && { kind }),
});

/** One page of the changes that a ticket found; the page before stays on screen until the next one is there. */
export const changesQuery = (companyCode: string, shown: ShownChanges, page: number, limit: number) =>
  queryOptions({
    // They are found in the register.
    queryKey: ['devices', 'changes', companyCode, shown, page, limit],
    queryFn: ({ signal }) =>
      call<typeof contract.listRecheckChanges>(
        'GET /rechecks/{company_code}/changes',
        { params: { company_code: companyCode }, query: { ...given(shown), page, limit } },
        signal,
      ),
    placeholderData: keepPreviousData,
  });

/** Saves the changes of a ticket as a file. */
export const saveChanges = (
  companyCode: string,
  shown: ShownChanges,
  format: 'excel' | 'json',
  options: DownloadOptions,
) =>
  download<typeof contract.downloadRecheckChanges>(
    'GET /rechecks/{company_code}/changes/download',
    { params: { company_code: companyCode }, query: { ...given(shown), format } },
    options,
  );
