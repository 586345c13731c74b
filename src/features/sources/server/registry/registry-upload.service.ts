import type { Caller } from '#server/http/caller.ts';
import { AppError, fill, type Text } from '#server/http/errors/errors.ts';
import { currentOrigin } from '#server/http/origin.ts';
import type { Context } from '#server/runtime/context.ts';
import { explainSheetError } from '#server/sheet/sheet-failure.ts';
import { ThreadTasks } from '#server/threads/thread-tasks.ts';
import { m } from '#shared/texts/messages.js';
import type { RegistryImport, SourceEntry } from '../configuration/source-kind.ts';
import type { RejectedRow, UploadResult, UploadTask } from './registry.thread.ts';
import type { RowFault } from './registry-row.ts';

/** How many rejected rows are listed if no row is usable. */
const detailsShown = 20;

/** Uploads run in threads. Each replaces a list completely or not at all. */
const uploads = new ThreadTasks<UploadTask, UploadResult>(
  'registries',
  new URL('./registry.thread.ts', import.meta.url),
  {
    concurrency: 2,
    deadlineMs: 300_000,
    heapMb: 512,
    memoryMb: 640,
  },
);

/**
 * Replaces a registry's whole list by the first visible sheet of a workbook: device, purchase date, warranty title,
 * start and end in columns A to E, with or without a header.
 * @param path of the workbook
 * @param signal aborts when the caller disconnects; the old list then stays
 * @throws AppError 401 if the session has ended, 413, 415 or 422 for a file that cannot be read or has no usable row; the
 * old list then stays
 */
export async function replaceRegistry(
  { config, db, databaseUrl }: Pick<Context, 'config' | 'db' | 'databaseUrl'>,
  caller: Caller,
  { name, timeZone }: Pick<SourceEntry, 'name' | 'timeZone'>,
  path: string,
  signal: AbortSignal,
): Promise<RegistryImport> {
  const maxRows = config.MAX_UPLOAD_ROWS;
  const task = {
    databaseUrl,
    caller,
    source: name,
    path,
    maxRows,
    timezone: timeZone ?? config.APP_TIMEZONE,
    origin: currentOrigin(),
  };
  const result = await uploads.run(db, task, caller, signal).catch((error: unknown) => {
    throw explainSheetError(maxRows, error);
  });
  const rejected = result.rejected.map((row) => ({ row: row.row, reason: reasonOf(row) }));
  if (result.imported === 0) {
    throw new AppError(422, 'no_usable_row', m.server_registry_empty, {
      details: rejected
        .slice(0, detailsShown)
        .map(({ row, reason }) => ({ path: `row ${row}`, message: reason })),
    });
  }
  return { imported: result.imported, rejectedCount: result.rejectedCount, rejected };
}

const reasons: Record<Exclude<RowFault, 'duplicate'>, Text> = {
  device_missing: m.server_registry_device_missing,
  device_invalid: m.server_registry_device_invalid,
  purchase_date: m.server_registry_purchase_date,
  warranty_title: m.server_registry_warranty_title,
  start_date: m.server_registry_start_date,
  end_date: m.server_registry_end_date,
  end_before_start: m.server_registry_end_before_start,
};

function reasonOf({ fault, first }: RejectedRow): Text {
  if (fault !== 'duplicate') return reasons[fault];
  return fill(m.server_registry_duplicate, { first: first ?? 0 });
}
