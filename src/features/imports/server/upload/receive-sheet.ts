import { posix, win32 } from 'node:path';
import type { FastifyRequest } from 'fastify';
import { invalidField } from '#server/http/errors/errors.ts';
import type { Config } from '#server/runtime/config.ts';
import { saveUpload } from '#server/uploads/save-upload.ts';
import { ticketNumber as ticketNumberForm, wholeNumber } from '#shared/answers.ts';
import { cutText } from '#shared/cut-text.ts';
import { replaceControls } from '#shared/name-rules.ts';
import { m } from '#shared/texts/messages.js';
import { readFields } from '../mapping/read-fields.ts';
import { isColumnLetter } from '../reading/column-letter.ts';
import type { RowSource } from '../reading/row-source.ts';
import { readCorrections } from './read-corrections.ts';

/** An uploaded file on disk, and the choices of its form; `remove` deletes it. */
export type ReceivedSheet = {
  source: FileSource;
  fileName: string | null;
  /** The number of an order; null for a new ticket. */
  ticketNumber: number | null;
  /** The maximum age in days of answers from the register; null to look up all rows. */
  freshDays: number | null;
  remove(): Promise<void>;
};

type FileSource = Extract<RowSource, { kind: 'file' }>;

const maxNameLength = 255;

/**
 * Streams the form's file to disk and reads the form's choices.
 * @param field the form field with the file
 * @throws AppError as `saveUpload`; 400 for an invalid ticket number, column, correction, mapping or number of days
 */
export async function receiveSheet(
  request: FastifyRequest,
  field: string,
  config: Pick<Config, 'DATA_DIR' | 'MAX_UPLOAD_MB'>,
): Promise<ReceivedSheet> {
  const { path, fileName, fields, remove } = await saveUpload(request, field, config);
  try {
    const source = {
      kind: 'file',
      path,
      sheet: fields.get('sheet') || null,
      column: readColumn(fields),
      corrections: readCorrections(fields.get('corrections')),
      fields: readFields(fields.get('fields')),
    } as const;
    return {
      source,
      // Without folders (`/` and `\\`), which some browsers send.
      fileName: cleanName(win32.basename(posix.basename(fileName))),
      ticketNumber: readOrder(fields),
      freshDays: readFreshDays(fields),
      remove,
    };
  } catch (error) {
    await remove();
    throw error;
  }
}

function readColumn(fields: Map<string, string>): string | null {
  const column = fields.get('column')?.trim().toUpperCase() ?? '';
  if (column === '') return null;
  if (isColumnLetter(column)) return column;
  throw invalidField('column', m.server_import_column_form);
}

function readOrder(fields: Map<string, string>): number | null {
  const ticketNumber = fields.get('ticket_number')?.trim() ?? '';
  if (ticketNumber === '') return null;
  if (ticketNumberForm.safeParse(ticketNumber).success) return Number(ticketNumber);
  throw invalidField('ticket_number', m.server_ticket_number_form);
}

function readFreshDays(fields: Map<string, string>): number | null {
  const days = fields.get('fresh_days')?.trim() ?? '';
  if (days === '') return null;
  if (/^\d+$/.test(days) && wholeNumber(1).safeParse(Number(days)).success) return Number(days);
  throw invalidField('fresh_days', m.server_import_fresh_days_form);
}

/** Returns a name without control characters; null for an empty one. */
export function cleanName(name: string): string | null {
  const clean = replaceControls(name, '').trim();
  return cutText(clean, maxNameLength).toWellFormed() || null;
}
