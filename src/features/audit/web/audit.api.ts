import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import type { AuditEntry, downloadAudit, listAudit } from '#features/audit/audit.contract.ts';
import { call } from '#web/client/api-client.ts';
import { type DownloadOptions, download } from '#web/client/download.ts';

export type { AuditEntry };

/** The filters of the list; an empty text filters nothing. */
export type AuditChoice = Record<'actor' | 'action' | 'object_name' | 'company_code' | 'from' | 'to', string>;

/** One page of the audit log; the page before stays on screen until the next one is there. */
export const auditPage = (choice: AuditChoice, page: number, limit: number) =>
  queryOptions({
    queryKey: ['audit', choice, page, limit],
    queryFn: ({ signal }) =>
      call<typeof listAudit>('GET /audit', { query: { ...given(choice), page, limit } }, signal),
    placeholderData: keepPreviousData,
  });

/** Saves the filtered list as a file. */
export const saveAudit = (choice: AuditChoice, format: 'excel' | 'json', options: DownloadOptions) =>
  download<typeof downloadAudit>('GET /audit/download', { query: { ...given(choice), format } }, options);

function given(choice: AuditChoice): Partial<AuditChoice> {
  return Object.fromEntries(Object.entries(choice).filter(([, value]) => value !== ''));
}
