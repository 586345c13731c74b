import type { Readable } from 'node:stream';
import type { FastifyRequest } from 'fastify';
import { allow } from '#server/http/access.ts';
import { AppError, type Text } from '#server/http/errors/errors.ts';
import { m } from '#shared/texts/messages.js';

/** The name of a form's file, as the browser sent it, and the form's other fields. */
export type ReceivedForm = { fileName: string; fields: Map<string, string> };

/** The parser's code for a file beyond its limit. Other limits of a form, such as its number of fields, have other codes. */
const fileTooLarge = 'FST_REQ_FILE_TOO_LARGE';

/** The maximum size of a file, and the message for a larger one. */
export type FileLimit = { bytes: number; tooLarge: Text };

/**
 * Receives the file of a multipart form.
 * @param field the form field with the file
 * @param write receives the bytes. They are complete only when this function returns, because a file that is truncated
 *   at its limit ends like a complete one
 * @throws AppError 400 without a file or for a malformed form, 401 if the session has ended in the meantime, 413 for a
 *   file that is too large
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
    // A client that is still sending reads the response only after the rest was received.
    request.raw.unpipe().resume();
    if (error instanceof AppError) throw error;
    const { code, syscall } = error as NodeJS.ErrnoException;
    if (code === fileTooLarge) throw new AppError(413, 'too_large', limit.tooLarge);
    // An error of the file system is not the form's fault.
    throw syscall === undefined || request.raw.destroyed ? malformed() : error;
  }
}

async function receiveForm(
  request: FastifyRequest,
  field: string,
  { bytes, tooLarge }: FileLimit,
  write: (file: Readable) => Promise<void>,
): Promise<ReceivedForm> {
  // The parser would wait forever for a connection that closed before it began.
  if (request.raw.destroyed) throw malformed();
  let fileName: string | undefined;
  const fields = new Map<string, string>();
  for await (const part of request.parts({ limits: { fileSize: bytes } })) {
    if (part.type === 'field') {
      // The parser silently truncates a long value.
      if (part.valueTruncated) throw malformed();
      // The parser reads a field that is JSON by its type.
      fields.set(part.fieldname, typeof part.value === 'string' ? part.value : JSON.stringify(part.value));
    } else if (part.fieldname === field && part.filename) {
      // Browsers write a quotation mark in a name so, as the standard of HTML says.
      fileName = part.filename.replaceAll('%22', '"');
      await write(part.file);
      if (part.file.truncated) throw new AppError(413, 'too_large', tooLarge);
    } else {
      part.file.resume();
    }
  }
  if (fileName === undefined) throw fileMissing();
  return { fileName, fields };
}

function fileMissing(): AppError {
  return new AppError(400, 'file_missing', m.server_file_missing);
}

function malformed(): AppError {
  return new AppError(400, 'malformed', m.server_malformed);
}
