import type { Readable } from 'node:stream';
import type { FastifyRequest } from 'fastify';
import { allow } from '#server/http/access.ts';
import { AppError, type Text } from '#server/http/errors/errors.ts';
import { m } from '#shared/texts/messages.js';

/** What a form carried besides its file: the file's name as the browser gave it, and the form's texts. */
export type ReceivedForm = { fileName: string; fields: Map<string, string> };

/** How large a file may be, and what is said of a larger one. */
export type FileLimit = { bytes: number; tooLarge: Text };

/**
 * Receives the one file of a multipart form, whole or not at all.
 * @param field the form field that carries it
 * @param write takes its bytes; what it was given counts only when this function returns, since a file that is cut at
 *   its limit ends like one that was sent whole
 * @throws AppError 400 without a file or for a form that cannot be read, 401 when the caller's session ended meanwhile,
 *   413 when the file is too large
 */
export async function receiveFile(
  request: FastifyRequest,
  field: string,
  limit: FileLimit,
  write: (file: Readable) => Promise<void>,
): Promise<ReceivedForm> {
  if (!request.isMultipart()) throw fileMissing();
  try {
    const form = await receiveForm(request, field, limit, write);
    await allow(request);
    return form;
  } catch (error) {
    // Whoever still sends reads the answer only when the rest was taken.
    request.raw.unpipe().resume();
    if (error instanceof AppError) throw error;
    const { statusCode, syscall } = error as NodeJS.ErrnoException & { statusCode?: number };
    if (statusCode === 413) throw new AppError(413, 'too_large', limit.tooLarge);
    // What the file system refuses is not the form's fault.
    throw syscall === undefined || request.raw.destroyed ? malformed() : error;
  }
}

async function receiveForm(
  request: FastifyRequest,
  field: string,
  { bytes, tooLarge }: FileLimit,
  write: (file: Readable) => Promise<void>,
): Promise<ReceivedForm> {
  let fileName: string | undefined;
  const fields = new Map<string, string>();
  for await (const part of request.parts({ limits: { fileSize: bytes } })) {
    if (part.type === 'field') {
      // The parser cuts a long one without a word.
      if (part.valueTruncated) throw malformed();
      fields.set(part.fieldname, String(part.value));
    } else if (part.fieldname === field && part.filename) {
      fileName = part.filename;
      await write(part.file);
      if (part.file.truncated) throw new AppError(413, 'too_large', tooLarge);
    } else {
      part.file.resume();
    }
  }
  if (fileName === undefined) throw fileMissing();
  return { fileName, fields };
}

/** The failure of an upload without a file. */
function fileMissing(): AppError {
  return new AppError(400, 'file_missing', (locale) => m.server_file_missing({}, { locale }));
}

function malformed(): AppError {
  return new AppError(400, 'malformed', (locale) => m.server_malformed({}, { locale }));
}
