import { exceedsBudget } from '#features/clients/server/budgets/budgets.service.ts';
import { lockActiveCompany } from '#features/clients/server/clients.service.ts';
import type { Context } from '#server/runtime/context.ts';
import { explainSheetError } from '#server/sheet/sheet-failure.ts';
import { ThreadTasks } from '#server/threads/thread-tasks.ts';
import { previewSheet as previewEndpoint, type SheetPreview } from '../../imports.contract.ts';
import { companyInactive } from '../import-texts.ts';
import type { Upload } from '../imports.service.ts';
import { receiveSheet } from '../upload/receive-sheet.ts';
import type { PreviewedSheet, PreviewTask } from './preview-task.ts';

/** As for imports, but fewer at a time: imports come first. */
const limits = { concurrency: 2, deadlineMs: 120_000, heapMb: 320, memoryMb: 440 };

/** The threads that preview sheets, two at a time. */
export const previews = new ThreadTasks<PreviewTask, PreviewedSheet>(
  'previews',
  new URL('./preview.thread.ts', import.meta.url),
  limits,
);

/**
 * Receives a sheet, reads it as an upload would, and stores nothing.
 * @throws AppError 400, 401, 403, 413, 415, 422, 429 (docs/rules.md, Sheets)
 */
export async function previewSheet(
  { config, db, databaseUrl }: Context,
  { caller, request, locale, gone }: Upload,
): Promise<SheetPreview> {
  const companyCode = caller.companyCode ?? '';
  if (!(await lockActiveCompany(db, companyCode))) throw companyInactive(caller);
  const { source, remove } = await receiveSheet(request, previewEndpoint.file, config);
  try {
    const { path, sheet, column } = source;
    const { MAX_UPLOAD_ROWS: maxRows, PRICE_USD: price, DOLLAR_RATE: dollarRate } = config;
    const task = {
      databaseUrl,
      path,
      sheet,
      column,
      companyCode,
      maxRows,
      price,
      dollarRate,
      locale,
    };
    const preview = await previews.run(db, task, caller, gone).catch((error: unknown) => {
      throw explainSheetError(maxRows, error);
    });
    const timeZone = config.APP_TIMEZONE;
    const exceeds_budget = await exceedsBudget(db, { companyCode, timeZone }, preview.price_total);
    return { ...preview, exceeds_budget };
  } finally {
    await remove();
  }
}
