import { statfs } from 'node:fs/promises';
import { m } from '#shared/texts/messages.js';
import type { Config } from './config.ts';
import { AppError } from './errors.ts';

const megabyte = 1024 * 1024;
/** Of the largest file allowed: what one user's uploads may take at once, and those of all together. */
const filesPerUser = 2;
const filesInAll = 8;
/** How many bytes may arrive before the disk is asked again. */
const checkEvery = 8 * megabyte;

/** The room that one upload takes, from its first byte until its file is gone. */
export type UploadPlace = {
  /**
   * Notes bytes that are about to be written.
   * @throws AppError 429, 507 when there is no room for them
   */
  take(bytes: number): Promise<void>;
  leave(): void;
};

/**
 * Shares the disk among uploads: each user has a bound, all together have one, and below a floor of free space none
 * goes on, since the database lives on what is left.
 */
export class UploadRoom {
  readonly #folder: string;
  readonly #perUser: number;
  readonly #inAll: number;
  readonly #floor: number;
  readonly #users = new Map<number, number>();
  #taken = 0;
  /** Promised to uploads, and not on the disk yet. */
  #unwritten = 0;

  constructor({
    DATA_DIR,
    MAX_UPLOAD_MB,
    MIN_FREE_MB,
  }: Pick<Config, 'DATA_DIR' | 'MAX_UPLOAD_MB' | 'MIN_FREE_MB'>) {
    this.#folder = DATA_DIR;
    this.#perUser = filesPerUser * MAX_UPLOAD_MB * megabyte;
    this.#inAll = filesInAll * MAX_UPLOAD_MB * megabyte;
    this.#floor = MIN_FREE_MB * megabyte;
  }

  /**
   * Lets an upload begin, if there is room for all that it announces.
   * @param announced the bytes of the request, as its head says; 0 when it does not
   * @throws AppError 429, 507
   */
  async enter(userId: number, announced: number): Promise<UploadPlace> {
    let promised = 0;
    let written = 0;
    let checkedAt = 0;
    const promise = (bytes: number) => {
      promised += bytes;
      this.#taken += bytes;
      this.#unwritten += bytes;
      this.#users.set(userId, (this.#users.get(userId) ?? 0) + bytes);
    };
    const place: UploadPlace = {
      take: async (bytes) => {
        if (written + bytes > promised) {
          this.#checkBounds(userId, written + bytes - promised);
          promise(written + bytes - promised);
        }
        if (written + bytes - checkedAt >= checkEvery) {
          checkedAt = written + bytes;
          await this.#checkDisk();
        }
        written += bytes;
        this.#unwritten -= bytes;
      },
      leave: () => {
        this.#taken -= promised;
        this.#unwritten -= promised - written;
        const left = (this.#users.get(userId) ?? 0) - promised;
        if (left > 0) this.#users.set(userId, left);
        else this.#users.delete(userId);
        promised = 0;
        written = 0;
      },
    };
    this.#checkBounds(userId, announced);
    promise(announced);
    try {
      await this.#checkDisk();
    } catch (error) {
      place.leave();
      throw error;
    }
    return place;
  }

  #checkBounds(userId: number, more: number): void {
    if ((this.#users.get(userId) ?? 0) + more > this.#perUser) throw tooManyUploads();
    if (this.#taken + more > this.#inAll) throw noRoom();
  }

  /** Whether all that is promised can be written with the floor still left. */
  async #checkDisk(): Promise<void> {
    const { bavail, bsize } = await statfs(this.#folder);
    if (bavail * bsize - this.#unwritten < this.#floor) throw noRoom();
  }
}

function tooManyUploads(): AppError {
  return new AppError(429, 'too_many_uploads', (locale) => m.server_too_many_uploads({}, { locale }), {
    retryAfterSeconds: 30,
  });
}

/** 507 for what the disk has no room for. */
export function noRoom(): AppError {
  return new AppError(507, 'no_room', (locale) => m.server_no_room({}, { locale }));
}
