import type { Readable } from 'node:stream';
import type { FastifyRequest } from 'fastify';
import { allow } from '#server/http/access.ts';
import { AppError, fill, invalidField, type Text } from '#server/http/errors/errors.ts';
import { m } from '#shared/texts/messages.js';

/** The name of a form's file, as the browser sent it, and the form's other fields. */
export type ReceivedForm = { fileName: string; fields: Map<string, string> };

/** The parser's codes for the limits of a form. */
const fileTooLarge = 'FST_REQ_FILE_TOO_LARGE';
const tooManyFiles = 'FST_FILES_LIMIT';
const tooManyFields = new Set<string | undefined>(['FST_FIELDS_LIMIT', 'FST_PARTS_LIMIT']);
/** Enough for 100 corrections of 200 escaped characters. The parser parses a field that is JSON by its type. */
const maxFieldKb = 128;

/** The maximum size of a file, and the message for a larger one. */
export type FileLimit = { bytes: number; tooLarge: Text };

/**
 * Receives the file of a multipart form.
 * @param field the form field with the file
 * @param write receives the bytes. They are complete only when this function returns, because a file that is truncated
 *   at its limit ends like a complete one
 * @throws AppError 400 without a file, for a malformed form, or for too many or too long parts, 401 if the session has ended in the meantime, 413 for a
 *   file that is too large
 */
export async function receiveFile(
  request: FastifyRequest,
  field: string,
  limit: FileLimit,
  write: (file: Readable) => Promise<void>,
): Promise<ReceivedForm> {
  if (!request.isMultipart()) throw fileMissing(field);
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
    if (code === tooManyFiles) throw invalidField(field, m.server_form_one_file);
    if (tooManyFields.has(code)) throw invalidField('', m.server_form_too_many_fields);
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
  const limits = { fileSize: bytes, fieldSize: maxFieldKb * 1024 };
  for await (const part of request.parts({ limits })) {
    if (part.type === 'field') {
      // The parser silently truncates a long value.
      if (part.valueTruncated) throw tooLong(part.fieldname);
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
  if (fileName === undefined) throw fileMissing(field);
  return { fileName, fields };
}

function fileMissing(field: string): AppError {
  return invalidField(field, m.server_file_missing, 'file_missing');
}

function tooLong(field: string): AppError {
  return invalidField(field, fill(m.server_field_too_big, { field, maximum: `${maxFieldKb} KB` }));
}

function malformed(): AppError {
  return new AppError(400, 'malformed', m.server_malformed);
}
