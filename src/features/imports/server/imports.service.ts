import { setTimeout as delay } from 'node:timers/promises';
import type { FastifyRequest } from 'fastify';
import { lockActiveCompany } from '#features/clients/server/clients.service.ts';
import { registerCompany, storeImportedFields } from '#features/devices/server/devices.service.ts';
import type { Db } from '#server/db/db.ts';
import type { Caller } from '#server/http/caller.ts';
import { AppError } from '#server/http/errors/errors.ts';
import { readKey } from '#server/http/idempotent-change.ts';
import { currentOrigin } from '#server/http/origin.ts';
import type { Config } from '#server/runtime/config.ts';
import type { Context } from '#server/runtime/context.ts';
import type { Body } from '#shared/endpoint.ts';
import type { Locale } from '#shared/locale.ts';
import { m } from '#shared/texts/messages.js';
import {
  type ImportAnswer,
  type importSerials as importSerialsEndpoint,
  uploadSheet as uploadEndpoint,
} from '../imports.contract.ts';
import { companyInactive } from './import-texts.ts';
import { rowsPerBlock } from './mapping/field-blocks.ts';
import { toTextSource } from './mapping/to-text-source.ts';
import { requireUploadRights } from './reading/import-sheet.ts';
import type { ImportTask } from './reading/import-task.ts';
import type { ImportThreads } from './reading/import-threads.ts';
import { IdempotentUpload, uploadKeyOf } from './upload/idempotent-upload.ts';
import { cleanName, type ReceivedSheet, receiveSheet } from './upload/receive-sheet.ts';
import { findUploadProgress, isUploadLocked, type UploadProgress } from './upload/uploads.queries.ts';

export type Upload = {
  caller: Caller;
  /** The request; that of a file has a body that is not yet read. */
  request: FastifyRequest;
  locale: Locale;
  /** Aborts when the caller disconnects, which cancels the import. */
  signal: AbortSignal;
};

/** The cells to import and the choices of their upload. */
type ImportInput = Pick<ImportTask, 'source' | 'fileName' | 'ticketNumber' | 'freshDays' | 'askAgain'>;

/**
 * Receives a sheet and imports it, completely or not at all. Under an Idempotency-Key, every repeat of the same file gets
 * the first answer, also while the first upload is running.
 * @throws AppError 400, 401, 403, 404, 409, 413, 415, 422 (docs/rules.md, Sheets)
 */
export async function uploadSheet(
  context: Context,
  threads: ImportThreads,
  upload: Upload,
): Promise<ImportAnswer> {
  let sheet: ReceivedSheet | undefined;
  try {
    return await importUnderKey(context, threads, upload, async () => {
      sheet = await receiveSheet(upload.request, uploadEndpoint.file, context.config);
      return { ...sheet, askAgain: false };
    });
  } finally {
    await sheet?.remove();
  }
}

/**
 * Imports a list of texts as a sheet with one cell each, completely or not at all.
 * @throws AppError as `uploadSheet`
 */
export async function importSerials(
  context: Context,
  threads: ImportThreads,
  upload: Upload,
  { serials, ticket_number, name, fresh_days, ask_again }: Body<typeof importSerialsEndpoint>,
): Promise<ImportAnswer> {
  const source = await toTextSource(context.db, upload.caller, serials);
  return importUnderKey(context, threads, upload, async () => ({
    source,
    fileName: cleanName(name ?? ''),
    ticketNumber: ticket_number === undefined ? null : Number(ticket_number),
    freshDays: fresh_days ?? null,
    askAgain: ask_again ?? false,
  }));
}

/** @param receive returns the cells and choices; it may wait for the body of the request */
async function importUnderKey(
  context: Context,
  threads: ImportThreads,
  { caller, request, locale, signal }: Upload,
  receive: () => Promise<ImportInput>,
): Promise<ImportAnswer> {
  const { config, db, databaseUrl, log } = context;
  const companyCode = caller.companyCode ?? '';
  if (!(await lockActiveCompany(db, companyCode))) throw companyInactive(caller);
  const key = readKey(request);
  const idempotent = new IdempotentUpload(db, caller, key);
  const isRepeat = await idempotent.begin();
  try {
    const { source, fileName, ticketNumber, freshDays, askAgain } = await receive();
    if (freshDays !== null) await registerLatestResults(context, companyCode);
    const task = {
      source,
      fileName,
      ticketNumber,
      freshDays,
      askAgain,
      databaseUrl,
      caller,
      companyCode,
      key,
      ownKey: null,
      locale,
      ...importSettings(config),
      origin: currentOrigin(),
    };
    // Before the import takes the user's only slot, because the first upload may have it.
    const first = isRepeat ? await idempotent.awaitAnswer(task, signal) : undefined;
    if (first) {
      await requireUploadRights(db, task);
      return first;
    }
    const answer = await threads
      .run(task, signal, (progress) => {
        idempotent
          .noteProgress(progress)
          .catch((err: unknown) =>
            log.warn({ err, user: caller.id }, 'the progress of an upload could not be stored'),
          );
      })
      .catch(async (error: unknown) => {
        await idempotent.storeFailure(error, locale);
        throw error;
      });
    if (answer.imported_count <= usualRows) await storeFields(context, companyCode);
    return answer;
  } catch (error) {
    // The first upload may still be running.
    if (!isRepeat) await idempotent.noteProgress({ phase: 'failed', rows: 0 });
    throw error;
  }
}

/** Registers the company's latest results, so that they count as known. If this fails, their rows are looked up. */
async function registerLatestResults({ db, log }: Context, companyCode: string): Promise<void> {
  await registerCompany(db, companyCode).catch((err: unknown) =>
    log.warn({ err, companyCode }, 'the latest results could not be registered before an import'),
  );
}

/** The most rows of a usual sheet. Its values of own columns are stored before its answer, those of larger ones later. */
const usualRows = 5000;

/** Stores values of own columns that sheets of a company have, so that the caller sees them at once. */
async function storeFields({ db, log }: Context, companyCode: string): Promise<void> {
  await storeImportedFields(db, usualRows / rowsPerBlock, companyCode).catch((err: unknown) =>
    log.warn({ err, companyCode }, 'values of own columns could not be stored yet and will be tried again'),
  );
}

/** Returns the settings of the product that apply to an import. */
export function importSettings(
  config: Config,
): Pick<ImportTask, 'maxRows' | 'price' | 'dollarRate' | 'timeZone'> {
  const { MAX_UPLOAD_ROWS, PRICE_USD, DOLLAR_RATE, APP_TIMEZONE } = config;
  return { maxRows: MAX_UPLOAD_ROWS, price: PRICE_USD, dollarRate: DOLLAR_RATE, timeZone: APP_TIMEZONE };
}

/** A client may ask for the progress while the head of its upload is still being read: longer than a busy server needs. */
const maxUploadWaitMs = 1500;
const uploadPollMs = 100;

/** Finds the progress of an upload of the caller. @throws AppError 404 if there is none within `maxUploadWaitMs` */
export async function getUpload(db: Db, caller: Caller, key: string): Promise<UploadProgress> {
  const uploadKey = uploadKeyOf(caller, key);
  const deadline = performance.now() + maxUploadWaitMs;
  let progress = await findUploadProgress.first(db, uploadKey);
  while (!progress && performance.now() < deadline) {
    await delay(uploadPollMs);
    progress = await findUploadProgress.first(db, uploadKey);
  }
  if (progress && isImporting(progress) && !(await isUploadLocked(db, uploadKey))) {
    // Read again, because the import may have just ended. Otherwise its process died.
    progress = await findUploadProgress.first(db, uploadKey);
    if (progress && isImporting(progress)) return { ...progress, phase: 'failed' };
  }
  if (!progress) throw new AppError(404, 'upload_not_found', m.server_not_found);
  return progress;
}

/** Returns whether an import runs, which has locked its key. */
const isImporting = ({ phase }: UploadProgress) => phase === 'reading' || phase === 'saving';
