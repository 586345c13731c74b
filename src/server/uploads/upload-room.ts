import { statfs } from 'node:fs/promises';
import type { SlotUser } from '#server/concurrency/fair-slots.ts';
import { shareOf } from '#server/http/caller.ts';
import { AppError } from '#server/http/errors/errors.ts';
import type { Config } from '#server/runtime/config.ts';
import { m } from '#shared/texts/messages.js';

const megabyte = 1024 * 1024;
/** The limits of running uploads, in files of the maximum size. */
const files = { user: 2, company: 4, all: 8 };

/**
 * Limits the disk space of running uploads per user, per company and in total. Keeps MIN_FREE_MB free, because the
 * database needs the rest.
 */
export class UploadRoom {
  readonly #folder: string;
  readonly #largest: number;
  readonly #floor: number;
  /** Bytes by user and by company; null for all uploads. */
  readonly #taken = new Map<number | string | null, number>();

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
  async enter(user: SlotUser, announced: number | undefined): Promise<() => void> {
    // Limited, because a form is a little longer than its file.
    const bytes = Math.min(announced ?? this.#largest, this.#largest);
    const shares = [user.id, shareOf(user), null];
    this.#checkBound(user.id, files.user, bytes, tooManyUploads);
    this.#checkBound(shareOf(user), files.company, bytes, tooManyUploads);
    this.#checkBound(null, files.all, bytes, noRoom);
    for (const share of shares) this.#add(share, bytes);
    const leave = () => {
      for (const share of shares) this.#add(share, -bytes);
    };
    try {
      const { bavail, bsize } = await statfs(this.#folder);
      if (bavail * bsize - (this.#taken.get(null) ?? 0) < this.#floor) throw noRoom();
      return leave;
    } catch (error) {
      leave();
      throw error;
    }
  }

  #add(share: number | string | null, bytes: number): void {
    const total = (this.#taken.get(share) ?? 0) + bytes;
    if (total > 0) this.#taken.set(share, total);
    else this.#taken.delete(share);
  }

  #checkBound(share: number | string | null, maxFiles: number, more: number, refusal: () => AppError): void {
    if ((this.#taken.get(share) ?? 0) + more > maxFiles * this.#largest) throw refusal();
  }
}

function tooManyUploads(): AppError {
  return new AppError(429, 'too_many_uploads', (locale) => m.server_too_many_uploads({}, { locale }), {
    retryAfterSeconds: 30,
  });
}

/** Returns the error for a full disk: 507. */
export function noRoom(): AppError {
  return new AppError(507, 'no_room', (locale) => m.server_no_room({}, { locale }));
}
