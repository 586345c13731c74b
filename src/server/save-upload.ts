import { createWriteStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import type { FastifyRequest } from 'fastify';
import { m } from '#shared/texts/messages.js';
import type { Config } from './config.ts';
import { AppError } from './errors.ts';
import { fileMissing } from './read-upload.ts';
import { makeUploadPath } from './upload-files.ts';

/** The file of a form on disk, to be removed after use, its name as the browser gave it, and the form's texts. */
export type SavedUpload = { path: string; fileName: string; fields: Map<string, string> };

/**
 * Streams the one file of a multipart form to disk, never through memory.
 * @param field the form field that carries it
 * @throws AppError 400 without a file or for a form that cannot be read, 413 when the file is too large
 */
export async function saveUpload(
  request: FastifyRequest,
  field: string,
  config: Pick<Config, 'DATA_DIR' | 'MAX_UPLOAD_MB'>,
): Promise<SavedUpload> {
  if (!request.isMultipart()) throw fileMissing();
  const path = await makeUploadPath(config.DATA_DIR);
  try {
    return { path, ...(await saveForm(request, field, path)) };
  } catch (error) {
    await rm(path, { force: true });
    if (error instanceof AppError) throw error;
    const { statusCode } = error as { statusCode?: number };
    if (statusCode === 413) throw tooLarge(config.MAX_UPLOAD_MB);
    if (typeof statusCode === 'number' || request.raw.destroyed) throw malformed();
    throw error;
  }
}

async function saveForm(request: FastifyRequest, field: string, path: string) {
  let fileName: string | undefined;
  const fields = new Map<string, string>();
  for await (const part of request.parts()) {
    if (part.type === 'field') {
      fields.set(part.fieldname, String(part.value));
    } else if (part.fieldname === field && part.filename) {
      fileName = part.filename;
      await pipeline(part.file, createWriteStream(path, { flags: 'wx', mode: 0o600 }));
    } else {
      part.file.resume();
    }
  }
  if (fileName === undefined) throw fileMissing();
  return { fileName, fields };
}

function tooLarge(maximum: number): AppError {
  return new AppError(413, 'too_large', (locale) =>
    m.server_import_too_large({ maximum: String(maximum) }, { locale }),
  );
}

function malformed(): AppError {
  return new AppError(400, 'malformed', (locale) => m.server_malformed({}, { locale }));
}
