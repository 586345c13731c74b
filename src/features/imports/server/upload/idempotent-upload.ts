import type { ImportAnswer } from '#features/imports/imports.contract.ts';
import { pollUntil } from '#server/concurrency/poll-until.ts';
import type { Queryable } from '#server/db/db.ts';
import type { Caller } from '#server/http/caller.ts';
import { AppError, toFailure, unavailable } from '#server/http/errors/errors.ts';
import { keyTaken } from '#server/http/idempotent-change.ts';
import { sheetFailure } from '#server/sheet/sheet-failure.ts';
import type { Failure } from '#shared/answers.ts';
import type { Locale } from '#shared/locale.ts';
import type { ImportTask } from '../reading/import-task.ts';
import { hashImport, hashOwnList } from '../reading/row-source.ts';
import {
  claimUpload,
  deleteOldUploads,
  findStoredAnswer,
  insertUpload,
  isUploadLocked,
  storeAnswer,
  tryLockUpload,
  type UploadKey,
  updateUploadProgress,
} from './uploads.queries.ts';

/** Statuses of failures that the file alone causes, so a repeat would fail in the same way. */
const fileFailures = new Set([413, 415, 422]);
/** The one of these failures that a busy machine may cause as well. */
const slowFailure = sheetFailure('slow', 0).code;

/** How long a repeat waits for the first upload: less than a thread's deadline (300 s). */
const maxWaitMs = 240_000;

/**
 * An upload under an Idempotency-Key. Every repeat of the file gets the first answer. Without a key nothing is stored. The
 * process that receives the file and the thread that imports it have one each, on their own connections.
 */
export class IdempotentUpload {
  readonly #db: Queryable;
  readonly #key: UploadKey | null;

  constructor(db: Queryable, caller: Pick<Caller, 'id' | 'companyCode'>, key: string | null) {
    this.#db = db;
    this.#key = key === null ? null : uploadKeyOf(caller, key);
  }

  /** @returns whether an earlier upload has the same key */
  async begin(): Promise<boolean> {
    return this.#key !== null && (await insertUpload.run(this.#db, this.#key)) === 0;
  }

  /** Stores the progress of the upload, unless it has an answer. */
  async noteProgress({ phase, rows }: { phase: string; rows: number }): Promise<void> {
    if (this.#key) await updateUploadProgress.run(this.#db, { ...this.#key, phase, rows });
  }

  /**
   * Waits for a running upload under the key, locks the key until the connection ends, and finds the first answer.
   * @returns undefined when this upload is the first
   * @throws AppError the failure of the first; 422 if that had another file or choice; 503 if it runs for too long
   */
  async findFirstAnswer(task: HashedTask): Promise<ImportAnswer | undefined> {
    if (!this.#key) return undefined;
    const hash = await hashTask(task);
    const key = this.#key;
    await waitUntil(() => tryLockUpload(this.#db, key));
    const storedAnswer = await this.findAnswer(hash);
    if (!storedAnswer) await claimUpload.run(this.#db, { ...this.#key, fileHash: hash });
    return storedAnswer;
  }

  /**
   * Waits while an import under the key runs, and finds its answer. Unlike the import, this takes no slot.
   * @returns undefined if the key has no answer
   * @throws AppError as `findFirstAnswer`; the signal's reason
   */
  async awaitAnswer(task: HashedTask, signal: AbortSignal): Promise<ImportAnswer | undefined> {
    if (!this.#key) return undefined;
    const key = this.#key;
    await waitUntil(async () => !(await isUploadLocked(this.#db, key)), signal);
    return this.findAnswer(await hashTask(task));
  }

  /**
   * Finds the first answer under the key.
   * @throws AppError the failure of the first upload; 422 if that had another hash
   */
  async findAnswer(hash: Buffer): Promise<ImportAnswer | undefined> {
    if (!this.#key) return undefined;
    await deleteOldUploads.run(this.#db);
    const storedAnswer = await findStoredAnswer.first(this.#db, this.#key);
    if (!storedAnswer) return undefined;
    if (!storedAnswer.file_hash.equals(hash)) throw keyTaken();
    if (storedAnswer.status !== 201) throw fromFailure(storedAnswer.status, storedAnswer.answer as Failure);
    return storedAnswer.answer as ImportAnswer;
  }

  /** Stores the answer in the transaction of the import. */
  async storeAnswer(answer: ImportAnswer, rows: number): Promise<void> {
    if (!this.#key) return;
    const storedAnswer = { status: 201, answer, phase: 'done', rows } as const;
    const first = await storeAnswer(this.#db, this.#key, storedAnswer);
    if (!first) throw new Error('another upload under the same key was faster');
  }

  /** Stores a failure that the file alone caused, for repeats. An earlier answer stays. */
  async storeFailure(error: unknown, locale: Locale): Promise<void> {
    if (!this.#key || !(error instanceof AppError)) return;
    if (!fileFailures.has(error.status) || error.code === slowFailure) return;
    const answer = toFailure(error, locale);
    const storedAnswer = { status: error.status, answer, phase: 'failed', rows: 0 } as const;
    await storeAnswer(this.#db, this.#key, storedAnswer);
  }
}

/** The parts of an import that its hash covers. */
type HashedTask = Pick<
  ImportTask,
  'source' | 'companyCode' | 'ownKey' | 'confirmedCount' | 'ticketNumber' | 'freshDays' | 'askAgain'
>;

async function hashTask(task: HashedTask): Promise<Buffer> {
  const { source, companyCode, ownKey, confirmedCount, ...choices } = task;
  return ownKey === null ? hashImport(source, choices) : hashOwnList(companyCode, confirmedCount);
}

/** @throws AppError 503 after `maxWaitMs`; the signal's reason */
async function waitUntil(isOver: () => Promise<boolean>, signal?: AbortSignal): Promise<void> {
  if (!(await pollUntil(isOver, maxWaitMs, signal))) throw unavailable();
}

/** Returns the key under which an upload of a user is stored: one of another company is another upload. */
export function uploadKeyOf({ id, companyCode }: Pick<Caller, 'id' | 'companyCode'>, key: string): UploadKey {
  return { userId: id, companyCode: companyCode ?? '', key };
}

/** Returns a stored failure as an error, in the language of the first answer. */
function fromFailure(status: number, { code, message, details }: Failure): AppError {
  return new AppError(status, code, () => message, {
    ...(details && { details: details.map(({ path, message: text }) => ({ path, message: () => text })) }),
  });
}
