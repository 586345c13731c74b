import { z } from 'zod';
import { ticket } from '#features/tickets/tickets.contract.ts';
import { messageAnswer, ticketNumber } from '#shared/answers.ts';
import { endpoint } from '#shared/endpoint.ts';
import { pageOf, pagingQuery } from '#shared/paging.ts';

const ticketParams = z.object({ ticket: ticketNumber });

const importAnswer = z.object({
  message: z.string(),
  imported_count: z.int(),
  invalid_count: z.int(),
  duplicate_count: z.int(),
  header_skipped: z.boolean(),
  /** The first 100; the report has all. */
  duplicates: z.array(z.object({ row: z.int(), serial: z.string(), first_row: z.int() })),
  invalid: z.array(z.object({ row: z.int(), value: z.string(), reason: z.string() })),
  ticket,
});
export type ImportAnswer = z.infer<typeof importAnswer>;

export const uploadSheet = endpoint({
  method: 'POST',
  path: '/data/upload',
  access: 'standard',
  summary: 'Import column A of an Excel sheet as a ticket; takes an Idempotency-Key header',
  file: 'excel',
  status: 201,
  response: importAnswer,
});

/** `reading` the file, `saving` its rows, then `done` or `failed`; `rows` counts what was read so far. */
export const getUpload = endpoint({
  method: 'GET',
  path: '/data/upload/{key}',
  access: 'standard',
  summary: 'How far an upload under an Idempotency-Key is',
  params: z.object({ key: z.string().min(1).max(200) }),
  tagged: true,
  response: z.object({ phase: z.enum(['receiving', 'reading', 'saving', 'done', 'failed']), rows: z.int() }),
});

const uploadedRow = z.object({
  _id: z.string(),
  ticket_number: z.string(),
  serial: z.string(),
  date: z.string(),
  row: z.int(),
});

export const listUploadedRows = endpoint({
  method: 'GET',
  path: '/data/{ticket}',
  access: 'signed-in',
  summary: 'The uploaded rows of a ticket, in the order of the sheet',
  params: ticketParams,
  query: pagingQuery,
  response: pageOf(uploadedRow).extend({ ticket_number: z.string() }),
});

export const deleteUploadedRows = endpoint({
  method: 'DELETE',
  path: '/data/{ticket}',
  access: 'signed-in',
  summary: 'Delete the uploaded rows of a ticket; cancels it when it was not yet Completed',
  params: ticketParams,
  response: messageAnswer,
});

/** `valid_count` rows are looked up; `invalid_count` cells are not. Both make `imported_count`. */
const importSummary = z.object({
  imported_count: z.int(),
  valid_count: z.int(),
  invalid_count: z.int(),
  duplicate_count: z.int(),
  file_name: z.string().nullable(),
  header_skipped: z.boolean(),
  imported_at: z.string(),
});

export type ImportSummary = z.infer<typeof importSummary>;

export const getImport = endpoint({
  method: 'GET',
  path: '/data/{ticket}/import',
  access: 'signed-in',
  summary: 'What was imported into a ticket, also after its rows were deleted; 404 for an order without rows',
  params: ticketParams,
  response: importSummary,
});

export const downloadReport = endpoint({
  method: 'GET',
  path: '/data/{ticket}/report',
  access: 'signed-in',
  summary: 'All duplicates and invalid cells of an import, also after its rows were deleted, as .xlsx',
  params: ticketParams,
  response: 'file',
});
