import { lockActiveCompany } from '#features/clients/server/clients.service.ts';
import type { ImportAnswer } from '#features/imports/imports.contract.ts';
import { neverAborts } from '#server/concurrency/never-aborts.ts';
import type { Db } from '#server/db/db.ts';
import type { Caller } from '#server/http/caller.ts';
import { currentOrigin } from '#server/http/origin.ts';
import type { Context } from '#server/runtime/context.ts';
import type { Locale } from '#shared/locale.ts';
import { companyInactive } from '../import-texts.ts';
import { importSettings } from '../imports.service.ts';
import type { ImportThreads } from '../reading/import-threads.ts';
import { hashOwnList } from '../reading/row-source.ts';
import { IdempotentUpload } from '../upload/idempotent-upload.ts';

export type { ImportThreads };

/** A list of serials that the product puts together for a company, to check them again. */
export type OwnList = {
  companyCode: string;
  serials: string[];
  fileName: string;
  /** Names the import: at most one is stored per key, whatever crashes. */
  key: string;
  /** The user who started it; null for a schedule. */
  caller: Caller | null;
  /** The Idempotency-Key of the caller; null without one. */
  idempotencyKey: string | null;
  /** The number of serials that the caller has confirmed, if any. */
  confirmedCount?: number | undefined;
  locale: Locale;
};

/**
 * Finds the answer to a caller's first request for a list of the company under an Idempotency-Key.
 * @throws AppError 422 for a key of another request
 */
export function findFirstAnswer(
  db: Db,
  caller: Caller,
  key: string | null,
  companyCode: string,
  confirmedCount: number | undefined,
): Promise<ImportAnswer | undefined> {
  return new IdempotentUpload(db, caller, key).findAnswer(hashOwnList(companyCode, confirmedCount));
}

/**
 * Imports a list of serials as a ticket of its company, completely or not at all.
 * @throws AppError 401 if the caller's session has ended, 403 for an Inactive company, 409 for a known key, 413, 422, 429
 */
export async function importOwnList(
  { config, databaseUrl, db }: Pick<Context, 'config' | 'databaseUrl' | 'db'>,
  threads: ImportThreads,
  { companyCode, serials, fileName, key, caller, idempotencyKey, confirmedCount, locale }: OwnList,
): Promise<ImportAnswer> {
  if (!(await lockActiveCompany(db, companyCode))) throw companyInactive(caller);
  const task = {
    source: { kind: 'texts', texts: serials } as const,
    fileName,
    ticketNumber: null,
    freshDays: null,
    askAgain: true,
    databaseUrl,
    caller,
    companyCode,
    key: idempotencyKey,
    ownKey: key,
    confirmedCount,
    locale,
    ...importSettings(config),
    origin: currentOrigin(),
  };
  return threads.run(task, neverAborts, () => undefined);
}
