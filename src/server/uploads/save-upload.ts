import { open, rm } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { FastifyRequest } from 'fastify';
import type { Config } from '#server/runtime/config.ts';
import { m } from '#shared/texts/messages.js';
import { type FileLimit, type ReceivedForm, receiveFile } from './receive-file.ts';
import { makeUploadPath } from './upload-files.ts';
import type { UploadPlace, UploadRoom } from './upload-room.ts';

declare module 'fastify' {
  interface FastifyInstance {
    uploadRoom: UploadRoom;
  }
}

/** The file of a form on disk and the rest of the form; whoever has it calls `remove` when it is read. */
export type SavedUpload = ReceivedForm & { path: string; remove(): Promise<void> };

/**
 * Streams the one file of a multipart form to disk, never through memory.
 * @param field the form field that carries it
 * @throws AppError as `receiveFile`, and 429, 507 when there is no room for it
 */
export async function saveUpload(
  request: FastifyRequest,
  field: string,
  config: Pick<Config, 'DATA_DIR' | 'MAX_UPLOAD_MB'>,
): Promise<SavedUpload> {
  const path = await makeUploadPath(config.DATA_DIR);
  const limit = limitOf(config);
  const announced = Number(request.headers['content-length'] ?? 0);
  if (!request.caller) throw new Error('an upload needs a signed-in caller');
  const place = await request.server.uploadRoom.enter(
    request.caller,
    // A form is a little longer than its file.
    Math.min(announced, limit.bytes),
  );
  const remove = async () => {
    await rm(path, { force: true });
    place.leave();
  };
  try {
    // Made before anything can fail: one that came to be after its removal would stay.
    const target = await open(path, 'wx', 0o600);
    try {
      const form = await receiveFile(request, field, limit, (file) =>
        pipeline(file, takePlace(place), target.createWriteStream()),
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
    tooLarge: (locale) => m.server_import_too_large({ maximum: String(maximum) }, { locale }),
  };
}

/** Lets bytes through for which there is room. */
function takePlace(place: UploadPlace) {
  return async function* (file: Readable): AsyncGenerator<Buffer> {
    for await (const piece of file as AsyncIterable<Buffer>) {
      await place.take(piece.length);
      yield piece;
    }
  };
}
