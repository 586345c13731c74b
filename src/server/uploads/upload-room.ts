import { statfs } from 'node:fs/promises';
import type { SlotUser } from '#server/concurrency/fair-slots.ts';
import { shareOf } from '#server/http/caller.ts';
import { AppError } from '#server/http/errors/errors.ts';
import type { Config } from '#server/runtime/config.ts';
import { m } from '#shared/texts/messages.js';

const megabyte = 1024 * 1024;
/** Of the largest file allowed: what the uploads of one user, of one company and of all may take at once. */
const filesPerUser = 2;
const filesPerCompany = 4;
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
 * Shares the disk among uploads: each user and each company has a bound, all together have one, and below a floor of free space none
 * goes on, since the database lives on what is left.
 */
export class UploadRoom {
  readonly #folder: string;
  readonly #perUser: number;
  readonly #inAll: number;
  readonly #floor: number;
  readonly #perCompany: number;
  /** Bytes by user and by company. */
  readonly #shares = new Map<number | string, number>();
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
    this.#perCompany = filesPerCompany * MAX_UPLOAD_MB * megabyte;
    this.#inAll = filesInAll * MAX_UPLOAD_MB * megabyte;
    this.#floor = MIN_FREE_MB * megabyte;
  }

  /**
   * Lets an upload begin, if there is room for all that it announces.
   * @param announced the bytes of the request, as its head says; 0 when it does not
   * @throws AppError 429, 507
   */
  async enter(user: SlotUser, announced: number): Promise<UploadPlace> {
    let promised = 0;
    let written = 0;
    let checkedAt = 0;
    const promise = (bytes: number) => {
      promised += bytes;
      this.#taken += bytes;
      this.#unwritten += bytes;
      for (const share of [user.id, shareOf(user)]) this.#addTo(share, bytes);
    };
    const place: UploadPlace = {
      take: async (bytes) => {
        if (written + bytes > promised) {
          this.#checkBounds(user, written + bytes - promised);
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
        for (const share of [user.id, shareOf(user)]) this.#addTo(share, -promised);
        promised = 0;
        written = 0;
      },
    };
    this.#checkBounds(user, announced);
    promise(announced);
    try {
      await this.#checkDisk();
    } catch (error) {
      place.leave();
      throw error;
    }
    return place;
  }

  #addTo(share: number | string, bytes: number): void {
    const total = (this.#shares.get(share) ?? 0) + bytes;
    if (total > 0) this.#shares.set(share, total);
    else this.#shares.delete(share);
  }

  #checkBounds(user: SlotUser, more: number): void {
    const totalWith = (share: number | string) => (this.#shares.get(share) ?? 0) + more;
    if (totalWith(user.id) > this.#perUser) throw tooManyUploads();
    if (totalWith(shareOf(user)) > this.#perCompany) throw tooManyUploads();
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
