import type pg from 'pg';
import { countKnown, knownDays } from '#features/devices/server/known-devices.service.ts';
import { describeInvalid } from '#features/imports/failure-texts.shared.ts';
import type { SheetPreview } from '#features/imports/imports.contract.ts';
import { estimateSeconds } from '#features/tickets/server/progress/estimate.service.ts';
import { computeMoney } from '#features/tickets/server/tickets.service.ts';
import { listSheets } from '#server/sheet/read-sheet.ts';
import { noValidSerial } from '../import-texts.ts';
import { chooseColumn, findExportColumn, sampleColumns, suggestColumn } from '../reading/choose-column.ts';
import { columnLetter } from '../reading/column-letter.ts';
import { ColumnReader } from '../reading/column-reader.ts';
import { readRows } from '../reading/row-source.ts';
import type { PreviewTask } from './preview-task.ts';

/** The most other sheets that are looked at for serials. */
const triedSheets = 10;

/**
 * Reads a sheet as an import would, and counts the rows that it would store.
 * @throws SheetError for a file that cannot be read; AppError 400 for an unknown sheet, 422 without a serial in any column
 */
export async function previewRows(client: pg.Client, task: PreviewTask): Promise<SheetPreview> {
  const { path, maxRows, companyCode, locale } = task;
  const sheets = await listSheets(path);
  const samples = await sampleColumns(path, task.sheet);
  const exportColumn = await findExportColumn(path, task.sheet);
  const letter = task.column ?? exportColumn ?? chooseColumn(samples);
  const suggestedSheet = samples.some(({ serials }) => serials > 0)
    ? null
    : await findOtherSheet(path, sheets, task.sheet);
  const column = new ColumnReader(maxRows);
  const known = knownDays.map((days) => ({ days, count: 0 }));
  let knownCount = 0;
  await readRows({ kind: 'file', path, sheet: task.sheet, column: letter }, letter, maxRows, async (rows) => {
    const found = column.read(rows).imported.filter(({ reason }) => reason === null);
    const counts = await countKnown(
      client,
      companyCode,
      found.map(({ serial }) => serial),
    );
    knownCount += counts.all;
    for (const [place, count] of counts.within.entries()) {
      const entry = known[place];
      if (entry) entry.count += count;
    }
  });
  const valid = column.imported - column.invalidCount;
  // A chosen column without a serial is shown as it is; so is another sheet that may be chosen instead.
  if (valid === 0 && !samples.some(({ serials }) => serials > 0) && suggestedSheet === null)
    throw noValidSerial(column.invalid, letter);
  const money = computeMoney({
    billable: valid,
    price: task.price,
    current_dollar_price: task.dollarRate,
    discount: 0,
  });
  return {
    sheet: task.sheet ?? sheets[0] ?? '',
    sheets,
    suggested_sheet: suggestedSheet,
    column: letter,
    default_column: exportColumn ?? columnLetter(1),
    suggested_column: suggestColumn(samples, letter),
    columns: samples.map(({ letter: name, head, serials }) => ({ column: name, head, serials })),
    rows: column.imported + column.duplicateCount,
    valid_count: valid,
    invalid_count: column.invalidCount,
    duplicate_count: column.duplicateCount,
    header_skipped: column.headerSkipped,
    known_count: knownCount,
    known_within: known,
    price_total: money.total_amount,
    estimate_seconds: await estimateSeconds(client, companyCode, valid),
    invalid: column.invalid.map(({ row, value, reason }) => ({
      row,
      value,
      reason: describeInvalid(reason, { locale }),
    })),
  };
}

/** Finds another visible sheet with a serial in its first rows. */
async function findOtherSheet(path: string, sheets: string[], read: string | null): Promise<string | null> {
  const others = sheets.filter((name) => name !== (read ?? sheets[0]));
  for (const name of others.slice(0, triedSheets)) {
    const samples = await sampleColumns(path, name);
    if (samples.some(({ serials }) => serials > 0)) return name;
  }
  return null;
}
