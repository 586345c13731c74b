import { posix, win32 } from 'node:path';
import type { FastifyRequest } from 'fastify';
import { invalidField } from '#server/http/errors/errors.ts';
import type { Config } from '#server/runtime/config.ts';
import { saveUpload } from '#server/uploads/save-upload.ts';
import { ticketNumber as ticketNumberForm } from '#shared/answers.ts';
import { m } from '#shared/texts/messages.js';

/** An uploaded file on disk; `remove` deletes it. */
export type ReceivedSheet = {
  file: { path: string; fileName: string | null; ticketNumber: number | null };
  remove(): Promise<void>;
};

const maxNameLength = 255;

/**
 * Streams the form's file to disk and reads the number of its order.
 * @param field the form field with the file
 * @throws AppError as `saveUpload`; 400 for an invalid ticket number
 */
export async function receiveSheet(
  request: FastifyRequest,
  field: string,
  config: Pick<Config, 'DATA_DIR' | 'MAX_UPLOAD_MB'>,
): Promise<ReceivedSheet> {
  const { path, fileName, fields, remove } = await saveUpload(request, field, config);
  const ticketNumber = fields.get('ticket_number')?.trim() ?? '';
  if (ticketNumber !== '' && !ticketNumberForm.safeParse(ticketNumber).success) {
    await remove();
    throw invalidField('ticket_number', (locale) => m.server_ticket_number_form({}, { locale }));
  }
  const order = ticketNumber === '' ? null : Number(ticketNumber);
  return { file: { path, fileName: cleanName(fileName), ticketNumber: order }, remove };
}

/** Returns the name without folders (`/` and `\\`) and control characters. */
function cleanName(name: string): string | null {
  const base = win32.basename(posix.basename(name)).replaceAll(/\p{Cc}/gu, '');
  return base.toWellFormed().slice(0, maxNameLength) || null;
}
