import { exceedsBudget } from '#features/clients/server/budgets/budgets.service.ts';
import { lockActiveCompany } from '#features/clients/server/clients.service.ts';
import { findTerms } from '#features/clients/server/terms/terms.service.ts';
import type { Context } from '#server/runtime/context.ts';
import { explainSheetError } from '#server/sheet/sheet-failure.ts';
import { ThreadTasks } from '#server/threads/thread-tasks.ts';
import { type CellText, previewSheet as previewEndpoint, type SheetPreview } from '../../imports.contract.ts';
import { companyInactive } from '../import-texts.ts';
import { importSettings, type Upload } from '../imports.service.ts';
import { toTextSource } from '../mapping/to-text-source.ts';
import { isShortList, type RowSource } from '../reading/row-source.ts';
import { receiveSheet } from '../upload/receive-sheet.ts';
import type { PreviewedSheet, PreviewTask } from './preview-task.ts';
import { runPreview } from './run-preview.ts';

/** The limits of an import, but fewer at a time: imports come first. */
const limits = { concurrency: 2, deadlineMs: 300_000, heapMb: 320, memoryMb: 440 };

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
export async function previewSheet(context: Context, upload: Upload): Promise<SheetPreview> {
  await requireActiveCompany(context, upload);
  const { source, remove } = await receiveSheet(upload.request, previewEndpoint.file, context.config);
  try {
    return await preview(context, upload, { ...source, corrections: null });
  } finally {
    await remove();
  }
}

/** Reads a list of texts as an import would, and stores nothing. @throws AppError as `previewSheet` */
export async function previewSerials(
  context: Context,
  upload: Upload,
  serials: CellText[],
): Promise<SheetPreview> {
  await requireActiveCompany(context, upload);
  return preview(context, upload, await toTextSource(context.db, upload.caller, serials));
}

/** @throws AppError 403 */
async function requireActiveCompany({ db }: Context, { caller }: Upload): Promise<void> {
  if (!(await lockActiveCompany(db, caller.companyCode ?? ''))) throw companyInactive(caller);
}

async function preview(
  { config, db, databaseUrl }: Context,
  { caller, locale, signal }: Upload,
  source: RowSource,
): Promise<SheetPreview> {
  const companyCode = caller.companyCode ?? '';
  const { maxRows, price: usual, dollarRate, timeZone } = importSettings(config);
  const terms = await findTerms.first(db, { companyCode });
  const price = terms?.price ?? usual;
  const discount = terms?.discount ?? 0;
  const task = { databaseUrl, source, companyCode, maxRows, price, discount, dollarRate, locale };
  const run = isShortList(source)
    ? previews.runHere(db, caller, signal, () => runPreview(task))
    : previews.run(db, task, caller, signal);
  const previewed = await run.catch((error: unknown) => {
    throw explainSheetError(maxRows, error);
  });
  const exceeds_budget = await exceedsBudget(db, { companyCode, timeZone }, previewed.price_total);
  return { ...previewed, exceeds_budget };
}
