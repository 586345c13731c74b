import type pg from 'pg';
import { countKnownByAge } from '#features/devices/server/known-devices.service.ts';
import { describeInvalid } from '#features/imports/failure-texts.shared.ts';
import { estimateSeconds } from '#features/tickets/server/progress/estimate.service.ts';
import { computeMoney } from '#features/tickets/server/tickets.service.ts';
import { listSheets } from '#server/sheet/read-sheet.ts';
import { noValidSerial } from '../import-texts.ts';
import { findMapping } from '../mapping/find-mapping.ts';
import { CellKinds } from '../reading/cell-kinds.ts';
import {
  chooseColumn,
  createHeadsReader,
  findExportColumn,
  sampleColumns,
  suggestColumn,
} from '../reading/choose-column.ts';
import { columnLetter } from '../reading/column-letter.ts';
import { ColumnReader } from '../reading/column-reader.ts';
import { type RowSource, readRows } from '../reading/row-source.ts';
import type { PreviewedSheet, PreviewTask } from './preview-task.ts';
import { findSeenTicket } from './seen-ticket.queries.ts';

/** The maximum number of other sheets that are searched for serials. */
const triedSheets = 10;

/**
 * Reads a sheet or a list as an import would, and counts the rows that it would store.
 * @throws SheetError for a file that cannot be read; AppError 400 for an unknown sheet, 422 without a serial in any column or in the list
 */
export async function previewRows(client: pg.Client, task: PreviewTask): Promise<PreviewedSheet> {
  const { source, maxRows, companyCode, locale } = task;
  const place = source.kind === 'file' ? await choosePlace(source) : ofList;
  const fields = await previewFields(client, task, place.column);
  const column = new ColumnReader(maxRows);
  const ages = new Map<number, number>();
  const accepted: string[] = [];
  await readRows(source, place.column, [], async (rows) => {
    const validRows = column.read(rows).imported.filter(({ reason }) => reason === null);
    const serials = validRows.map(({ serial }) => serial);
    for (const serial of serials) accepted.push(serial);
    await countKnownByAge(client, companyCode, serials, ages);
  });
  const valid = column.imported - column.invalidCount;
  // A chosen column without a serial is shown as it is; so is another sheet that may be chosen instead.
  if (valid === 0 && !place.columns.some(({ serials }) => serials > 0) && place.suggested_sheet === null)
    throw noValidSerial(column.invalid, source.kind === 'file' ? place.column : undefined);
  const seenTicket = await findSeenTicket(client, companyCode, {
    serials: accepted,
    invalid: column.invalid,
  });
  const known = [...ages].map(([days, count]) => ({ days, count })).sort((a, b) => a.days - b.days);
  const money = computeMoney({
    billable: valid,
    price: task.price,
    current_dollar_price: task.dollarRate,
    discount: 0,
  });
  return {
    ...place,
    ...fields,
    rows: column.imported + column.duplicateCount,
    valid_count: valid,
    invalid_count: column.invalidCount,
    duplicate_count: column.duplicateCount,
    header_skipped: column.headerSkipped,
    known_count: known.reduce((sum, { count }) => sum + count, 0),
    known_ages: known,
    seen: seenTicket
      ? {
          ticket_number: String(seenTicket.ticket_number),
          at: seenTicket.imported_at.toISOString(),
          by: seenTicket.uploader,
        }
      : null,
    price_total: money.total_amount,
    price_per_data: money.price_per_data,
    discount: task.discount,
    ...(await estimateSeconds(client, companyCode, valid)),
    invalid: column.invalid.map(({ row, value, reason }) => ({
      row,
      value,
      reason: describeInvalid(reason, { locale }),
    })),
  };
}

/** The sheet and column that are read, and those that could be. */
type Place = Pick<
  PreviewedSheet,
  'sheet' | 'sheets' | 'suggested_sheet' | 'column' | 'default_column' | 'suggested_column' | 'columns'
>;

const ofList: Place = {
  sheet: '',
  sheets: [],
  suggested_sheet: null,
  column: '',
  default_column: '',
  suggested_column: null,
  columns: [],
};

/** The heads of a sheet, and the own columns that an upload would fill. */
type PreviewedFields = Pick<PreviewedSheet, 'heads' | 'fields'>;

async function previewFields(
  client: pg.Client,
  { source, companyCode }: PreviewTask,
  column: string,
): Promise<PreviewedFields> {
  if (source.kind === 'texts') return { heads: {}, fields: {} };
  const readHeads = createHeadsReader(source.path, source.sheet, column);
  const { heads } = await readHeads([]);
  const { mapping } = await findMapping(client, companyCode, source.fields, readHeads);
  return { heads, fields: mapping };
}

async function choosePlace({ path, sheet, column }: Extract<RowSource, { kind: 'file' }>): Promise<Place> {
  const sheets = await listSheets(path);
  const kinds = new CellKinds();
  const samples = await sampleColumns(path, sheet, kinds);
  const exportColumn = await findExportColumn(path, sheet);
  const letter = column ?? exportColumn ?? chooseColumn(samples);
  const hasSerials = samples.some(({ serials }) => serials > 0);
  return {
    sheet: sheet ?? sheets[0] ?? '',
    sheets,
    suggested_sheet: hasSerials ? null : await findOtherSheet(path, sheets, sheet, kinds),
    column: letter,
    default_column: exportColumn ?? columnLetter(1),
    suggested_column: suggestColumn(samples, letter),
    columns: samples.map(({ letter: name, head, serials, imeis }) => ({
      column: name,
      head,
      serials,
      imeis,
    })),
  };
}

/** Finds another visible sheet with a serial in its first rows. */
async function findOtherSheet(
  path: string,
  sheets: string[],
  read: string | null,
  kinds: CellKinds,
): Promise<string | null> {
  const others = sheets.filter((name) => name !== (read ?? sheets[0]));
  for (const name of others.slice(0, triedSheets)) {
    const samples = await sampleColumns(path, name, kinds);
    if (samples.some(({ serials }) => serials > 0)) return name;
  }
  return null;
}
