import { queryOptions } from '@tanstack/react-query';
import type * as contract from '#features/imports/imports.contract.ts';
import { ticketsKey } from '#features/tickets/web/tickets.api.ts';
import type { Answer } from '#shared/endpoint.ts';
import { call } from '#web/client/api-client.ts';
import { type DownloadOptions, download } from '#web/client/download.ts';
import { type UploadOptions, upload } from '#web/client/upload.ts';
import type { SheetChoice, UploadInput } from './upload-attempt.ts';

/** Everything about uploaded rows is cached under this key. */
const importsKey = [...ticketsKey, 'imports'] as const;

type SendOptions = UploadOptions & Required<Pick<UploadOptions, 'idempotencyKey' | 'signal'>>;

export type UploadedRow = Answer<typeof contract.listUploadedRows>['data'][number];

/** Imports a sheet or pasted serials; into an existing order when one is named. */
export function sendUpload({ content, ...input }: UploadInput, options: SendOptions) {
  if (!(content instanceof File)) return sendSerials(content, input, options);
  const { order, choice, corrections, freshDays } = input;
  const form = new FormData();
  // Before the file: the server reads the form as a stream.
  if (order !== '') form.append('ticket_number', order);
  appendChoice(form, choice);
  if (freshDays !== null) form.append('fresh_days', String(freshDays));
  if (Object.keys(corrections).length > 0) form.append('corrections', JSON.stringify(corrections));
  form.append('excel', content);
  return upload<typeof contract.uploadSheet>('POST /data/upload', { form }, options);
}

function sendSerials(
  serials: string[],
  { order, freshDays }: Pick<UploadInput, 'order' | 'freshDays'>,
  { idempotencyKey, signal }: SendOptions,
) {
  const body = {
    serials,
    ...(order !== '' && { ticket_number: order }),
    ...(freshDays !== null && { fresh_days: freshDays }),
  };
  return call<typeof contract.importSerials>('POST /data/serials', { body, idempotencyKey }, signal);
}

/** Asks the sources about a serial again, in a ticket with its name. */
export const checkSerialAgain = (serial: string) =>
  call<typeof contract.importSerials>('POST /data/serials', {
    body: { serials: [serial], name: serial, ask_again: true },
  });

/** Reads a sheet as an import would; nothing is stored. */
export function previewSheet(file: File, choice: SheetChoice, signal: AbortSignal) {
  const form = new FormData();
  appendChoice(form, choice);
  form.append('excel', file);
  return upload<typeof contract.previewSheet>('POST /data/preview', { form }, { signal });
}

function appendChoice(form: FormData, { sheet, column }: SheetChoice): void {
  if (sheet !== null) form.append('sheet', sheet);
  if (column !== null) form.append('column', column);
}

/** How far the server is with an upload. */
export function uploadPhaseQuery(key: string) {
  return queryOptions({
    queryKey: ['upload', key],
    queryFn: ({ signal }) =>
      call<typeof contract.getUpload>('GET /data/upload/{key}', { params: { key } }, signal),
  });
}

/** The import report of a ticket that has rows. */
export function importSummaryQuery(ticket: string) {
  return queryOptions({
    queryKey: [...importsKey, 'summary', ticket],
    queryFn: ({ signal }) =>
      call<typeof contract.getImport>('GET /data/{ticket}/import', { params: { ticket } }, signal),
  });
}

/** One page of the uploaded rows of a ticket. */
export function uploadedRowsQuery(ticket: string, page: number, limit: number) {
  return queryOptions({
    queryKey: [...importsKey, 'rows', ticket, page, limit],
    queryFn: ({ signal }) =>
      call<typeof contract.listUploadedRows>(
        'GET /data/{ticket}',
        { params: { ticket }, query: { page, limit } },
        signal,
      ),
    placeholderData: (before, beforeQuery) => (beforeQuery?.queryKey[3] === ticket ? before : undefined),
  });
}

/** Deletes the uploaded rows of a ticket; cancels it when it was not yet Completed. */
export const deleteUploadedRows = (ticket: string) =>
  call<typeof contract.deleteUploadedRows>('DELETE /data/{ticket}', { params: { ticket } });

/** Saves the list of all duplicates and invalid cells of an import. */
export const downloadImportReport = (ticket: string, options: DownloadOptions) =>
  download<typeof contract.downloadReport>('GET /data/{ticket}/report', { params: { ticket } }, options);
