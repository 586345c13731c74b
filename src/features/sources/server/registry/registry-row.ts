import type { CellReadings } from '#server/sheet/cell-readings.ts';
import { toSheetDay } from '#server/sheet/days/sheet-day.ts';
import type { SheetRow } from '#server/sheet/sheet-row.ts';
import type { SheetCell } from '#shared/identifier.ts';
import { readDay } from '../responses/dates.ts';
import { readText } from '../responses/read-coverage.ts';

/** The number of columns in a registry's sheet: device, purchase date, warranty title, start, end. */
export const registryColumns = 5;

/** The fault of a row in a registry's sheet. */
export type RowFault =
  | 'device_missing'
  | 'device_invalid'
  | 'duplicate'
  | 'purchase_date'
  | 'warranty_title'
  | 'start_date'
  | 'end_date'
  | 'end_before_start';

/** A row of a registry: a device with all its identifiers, and its coverage. Days are YYYY-MM-DD. */
export type RegistryRow = {
  serials: string[];
  purchaseDate: string | null;
  warrantyTitle: string | null;
  start: string | null;
  end: string | null;
};

const maxTitleLength = 500;
const maxDateLength = 1000;

/**
 * Reads one row.
 * @param readings reads the devices of the whole sheet
 * @param workbook `date1904`: whether its days count from 1904
 */
export function readRegistryRow(
  { cells }: SheetRow,
  readings: CellReadings,
  { date1904, timezone }: { date1904: boolean; timezone: string },
): RegistryRow | RowFault {
  const [device, purchase, title, from, to] = cells;
  if (!device) return 'device_missing';
  const reading = readings.read(device);
  if (reading.kind === 'empty') return 'device_missing';
  if (reading.kind === 'invalid') return 'device_invalid';
  const serials = [...new Set(reading.identifiers.map(({ serial }) => serial))];
  const readDate = (cell: SheetCell | undefined) => readSheetDay(cell, date1904, timezone);
  const purchaseDate = readDate(purchase);
  if (purchaseDate === undefined) return 'purchase_date';
  if (title && (title.noResult || title.text.length > maxTitleLength)) return 'warranty_title';
  const start = readDate(from);
  if (start === undefined) return 'start_date';
  const end = readDate(to);
  if (end === undefined) return 'end_date';
  if (start !== null && end !== null && end < start) return 'end_before_start';
  return { serials, purchaseDate, warrantyTitle: readText(title?.text.normalize('NFKC')), start, end };
}

/**
 * Reads the day in a cell: Excel's number of a day, or a text that `readDay` accepts.
 * @returns null for an empty cell, undefined for one without a day
 */
function readSheetDay(
  cell: SheetCell | undefined,
  date1904: boolean,
  timezone: string,
): string | null | undefined {
  if (!cell) return null;
  if (cell.text.length > maxDateLength) return undefined;
  if (!cell.numeric) {
    const text = cell.text
      .normalize('NFKC')
      .replaceAll(/[\p{Cf}\p{Cc}]/gu, ' ')
      .trim();
    if (text === '') return null;
    // Digits alone would be read as epoch seconds.
    return (/[-/]/.test(text) ? readDay(text, timezone) : null) ?? undefined;
  }
  return readDay(toSheetDay(Number(cell.text), date1904), timezone) ?? undefined;
}
