import { lockActiveCompany } from '#features/clients/server/clients.service.ts';
import type { ImportAnswer } from '#features/imports/imports.contract.ts';
import type { Caller } from '#server/http/caller.ts';
import { currentOrigin } from '#server/http/origin.ts';
import type { Context } from '#server/runtime/context.ts';
import type { Locale } from '#shared/locale.ts';
import { companyInactive } from '../import-texts.ts';
import { importSettings } from '../imports.service.ts';
import type { ImportThreads } from '../reading/import-threads.ts';

export type { ImportThreads };

/** Nobody cancels such an import; only the deadline of its thread ends it. */
const never = new AbortController().signal;

/** A list of serials that the product puts together for a company, to check them again. */
export type OwnList = {
  companyCode: string;
  serials: string[];
  fileName: string;
  /** Names the import: at most one is stored per key, whatever crashes. */
  key: string;
  /** The user who started it; null for a schedule. */
  caller: Caller | null;
  locale: Locale;
};

/**
 * Imports a list of serials as a ticket of its company, completely or not at all.
 * @throws AppError 401 if the caller's session has ended, 403 for an Inactive company, 409 for a known key, 413, 422, 429
 */
export async function importOwnList(
  { config, databaseUrl, db }: Pick<Context, 'config' | 'databaseUrl' | 'db'>,
  threads: ImportThreads,
  { companyCode, serials, fileName, key, caller, locale }: OwnList,
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
    key: null,
    ownKey: key,
    locale,
    ...importSettings(config),
    origin: currentOrigin(),
  };
  return threads.run(task, never, () => undefined);
}
