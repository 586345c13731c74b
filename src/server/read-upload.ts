import type { FastifyRequest } from 'fastify';
import { m } from '#shared/texts/messages.js';
import { AppError } from './errors.ts';

/**
 * Reads the one file of a multipart form into memory.
 * @param field the form field that carries it
 * @returns undefined when the form has no such file; an empty file is an empty buffer
 * @throws AppError 413 when it is larger than `mostBytes`, 400 when the form cannot be read
 */
export async function readUploadedFile(
  request: FastifyRequest,
  field: string,
  mostBytes: number,
): Promise<Buffer | undefined> {
  if (!request.isMultipart()) return undefined;
  try {
    for await (const part of request.files({ limits: { fileSize: mostBytes } })) {
      if (part.fieldname === field) return await part.toBuffer();
      part.file.resume();
    }
    return undefined;
  } catch (error) {
    const status = (error as { statusCode?: number }).statusCode;
    if (status === 413) throw new AppError(413, 'too_large', (locale) => m.server_too_large({}, { locale }));
    throw new AppError(400, 'malformed', (locale) => m.server_malformed({}, { locale }));
  }
}

/** The failure of an upload without a file. */
export function fileMissing(): AppError {
  return new AppError(400, 'file_missing', (locale) => m.server_file_missing({}, { locale }));
}
