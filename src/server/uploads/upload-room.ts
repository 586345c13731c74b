import { holdShare, type Release, type ShareUser } from '#server/concurrency/held-shares.ts';
import type { Db } from '#server/db/db.ts';
import { AppError } from '#server/http/errors/errors.ts';
import type { Config } from '#server/runtime/config.ts';
import { readFreeBytes } from '#server/runtime/free-space.ts';
import { m } from '#shared/texts/messages.js';

const megabyte = 1024 * 1024;
/** The limits of running uploads, in files of the maximum size. */
const maxFiles = { user: 2, company: 4, all: 8 };

/**
 * Limits the disk space of running uploads, and the memory of large lists, per user, per company and in total, over all API
 * processes. Keeps MIN_FREE_MB of this machine free, because the database needs the rest.
 */
export class UploadRoom {
  readonly #folder: string;
  readonly #largest: number;
  readonly #floor: number;

  constructor(config: Pick<Config, 'DATA_DIR' | 'MAX_UPLOAD_MB' | 'MIN_FREE_MB'>) {
    this.#folder = config.DATA_DIR;
    this.#largest = config.MAX_UPLOAD_MB * megabyte;
    this.#floor = config.MIN_FREE_MB * megabyte;
  }

  /**
   * Reserves disk space for an upload.
   * @param announced the Content-Length; without it, the maximum size of a file is reserved
   * @returns a function that releases the space
   * @throws AppError 429, 507 without room for the file
   */
  async enter(db: Db, user: ShareUser, announced: number | undefined): Promise<Release> {
    // Limited, because a form is a little longer than its file.
    const bytes = Math.min(announced ?? this.#largest, this.#largest);
    // Read before the share is taken: a file that is written at the same time then counts twice instead of never.
    const free = await readFreeBytes(this.#folder);
    const release = await holdShare(db, 'uploads', user, bytes, {
      own: maxFiles.user * this.#largest,
      company: maxFiles.company * this.#largest,
      everybody: Math.min(maxFiles.all * this.#largest, free - this.#floor),
    });
    if (typeof release === 'function') return release;
    throw release === 'everybody' ? noRoom() : tooManyUploads();
  }
}

function tooManyUploads(): AppError {
  return new AppError(429, 'too_many_uploads', m.server_too_many_uploads, {
    retryAfterSeconds: 30,
  });
}

/** Returns the error for a full disk: 507. */
export function noRoom(): AppError {
  return new AppError(507, 'no_room', m.server_no_room);
}
