import type * as contract from '#features/imports/imports.contract.ts';
import { ticketsKey } from '#features/tickets/web/tickets.api.ts';
import { call } from '#web/client/api-client.ts';
import { read } from '#web/client/read.ts';
import { type UploadOptions, upload } from '#web/client/upload.ts';
import type { SheetChoice, UploadInput } from './upload-attempt.ts';

type SendOptions = UploadOptions & Required<Pick<UploadOptions, 'idempotencyKey' | 'signal'>>;

/** Imports a sheet or pasted serials; into an existing order when one is named. */
export function sendUpload({ content, ...input }: UploadInput, options: SendOptions) {
  if (!(content instanceof File)) return sendSerials(content, input, options);
  const { order, choice, corrections, fields, freshDays } = input;
  const form = new FormData();
  // Before the file: the server reads the form as a stream.
  if (order !== '') form.append('ticket_number', order);
  appendChoice(form, choice);
  if (freshDays !== null) form.append('fresh_days', String(freshDays));
  if (Object.keys(corrections).length > 0) form.append('corrections', JSON.stringify(corrections));
  if (fields !== null) form.append('fields', JSON.stringify(fields));
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

/** Reads a sheet as an import would; nothing is stored. */
export function previewSheet(file: File, choice: SheetChoice, signal: AbortSignal) {
  const form = new FormData();
  appendChoice(form, choice);
  form.append('excel', file);
  return upload<typeof contract.previewSheet>('POST /data/preview', { form }, { signal });
}

/** Reads pasted serials as an import would; nothing is stored. */
export const previewSerials = (serials: string[], signal: AbortSignal) =>
  call<typeof contract.previewSerials>('POST /data/serials/preview', { body: { serials } }, signal);

function appendChoice(form: FormData, { sheet, column }: SheetChoice): void {
  if (sheet !== null) form.append('sheet', sheet);
  if (column !== null) form.append('column', column);
}

export const importSummaryQuery = (ticket: string) =>
  read<typeof contract.getImport>(ticketsKey, 'GET /data/{ticket}/import', { params: { ticket } });

/** Deletes the uploaded rows of a ticket; cancels it when it was not yet Completed. */
export const deleteUploadedRows = (ticket: string, forgetDevices: boolean) =>
  call<typeof contract.deleteUploadedRows>('DELETE /data/{ticket}', {
    params: { ticket },
    query: { forget_devices: forgetDevices || undefined },
  });
