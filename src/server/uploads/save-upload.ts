import { open, rm } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import type { FastifyRequest } from 'fastify';
import { fill } from '#server/http/errors/errors.ts';
import type { Config } from '#server/runtime/config.ts';
import { m } from '#shared/texts/messages.js';
import { type FileLimit, type ReceivedForm, receiveFile } from './receive-file.ts';
import { createUploadPath } from './upload-files.ts';
import type { UploadRoom } from './upload-room.ts';

declare module 'fastify' {
  interface FastifyInstance {
    uploadRoom: UploadRoom;
  }
}

/** A received form with its file on disk. The owner calls `remove` when the file is read. */
export type SavedUpload = ReceivedForm & { path: string; remove(): Promise<void> };

/**
 * Streams the file of a multipart form to disk.
 * @param field the form field with the file
 * @throws AppError as `receiveFile`; 429, 507 without room for the file
 */
export async function saveUpload(
  request: FastifyRequest,
  field: string,
  config: Pick<Config, 'DATA_DIR' | 'MAX_UPLOAD_MB'>,
): Promise<SavedUpload> {
  const path = await createUploadPath(config.DATA_DIR);
  const limit = limitOf(config);
  if (!request.caller) throw new Error('an upload needs a signed-in caller');
  const length = request.headers['content-length'];
  const leave = await request.server.uploadRoom.enter(
    request.server.db,
    request.caller,
    length === undefined ? undefined : Number(length),
  );
  const remove = async () => {
    try {
      await rm(path, { force: true });
    } finally {
      await leave();
    }
  };
  try {
    // Created first, because a file that is created after `remove` would stay.
    const target = await open(path, 'wx', 0o600);
    try {
      const form = await receiveFile(request, field, limit, (file) =>
        pipeline(file, target.createWriteStream()),
      );
      return { path, ...form, remove };
    } finally {
      await target.close();
    }
  } catch (error) {
    await remove();
    throw error;
  }
}

function limitOf({ MAX_UPLOAD_MB: maximum }: Pick<Config, 'MAX_UPLOAD_MB'>): FileLimit {
  return {
    bytes: maximum * 1024 * 1024,
    tooLarge: fill(m.server_import_too_large, { maximum: String(maximum) }),
  };
}
