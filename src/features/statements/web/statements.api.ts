import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import type { downloadStatements, listStatements } from '#features/statements/statements.contract.ts';
import { call } from '#web/client/api-client.ts';
import { type DownloadOptions, download } from '#web/client/download.ts';

export type { Statement, StatementLine } from '#features/statements/statements.contract.ts';

/** The month, as `YYYY-MM`, and the company; an empty code is every company that the caller may see. */
export type StatementChoice = { month: string; company_code: string };

/** One page of statements; the page before stays on screen until the next one is there. */
export const statementPage = (choice: StatementChoice, page: number, limit: number) =>
  queryOptions({
    queryKey: ['tickets', 'statements', choice, page, limit],
    queryFn: ({ signal }) =>
      call<typeof listStatements>('GET /statements', { query: { ...choice, page, limit } }, signal),
    placeholderData: keepPreviousData,
  });

/** Saves the statements of a month as a file. */
export const saveStatements = (choice: StatementChoice, format: 'excel' | 'json', options: DownloadOptions) =>
  download<typeof downloadStatements>('GET /statements/download', { query: { ...choice, format } }, options);
