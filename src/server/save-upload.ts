import { createWriteStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import type { FastifyRequest } from 'fastify';
import { m } from '#shared/texts/messages.js';
import type { Config } from './config.ts';
import { type FileLimit, type ReceivedForm, receiveFile } from './receive-file.ts';
import { makeUploadPath } from './upload-files.ts';

/** The file of a form on disk, to be removed after use, and the rest of the form. */
export type SavedUpload = ReceivedForm & { path: string };

/**
 * Streams the one file of a multipart form to disk, never through memory.
 * @param field the form field that carries it
 * @throws AppError as `receiveFile`
 */
export async function saveUpload(
  request: FastifyRequest,
  field: string,
  config: Pick<Config, 'DATA_DIR' | 'MAX_UPLOAD_MB'>,
): Promise<SavedUpload> {
  const path = await makeUploadPath(config.DATA_DIR);
  const maximum = config.MAX_UPLOAD_MB;
  const limit: FileLimit = {
    bytes: maximum * 1024 * 1024,
    tooLarge: (locale) => m.server_import_too_large({ maximum: String(maximum) }, { locale }),
  };
  try {
    const form = await receiveFile(request, field, limit, (file) =>
      pipeline(file, createWriteStream(path, { flags: 'wx', mode: 0o600 })),
    );
    return { path, ...form };
  } catch (error) {
    await rm(path, { force: true });
    throw error;
  }
}
