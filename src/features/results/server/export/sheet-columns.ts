import { describeExpiry, translateExpiry } from '#features/devices/coverage-expiry.shared.ts';
import type { OwnField } from '#features/devices/fields.contract.ts';
import { layOutFields } from '#features/devices/server/devices.service.ts';
import { translateDetails, translateReason } from '#features/imports/failure-texts.shared.ts';
import type { Text } from '#server/http/errors/errors.ts';
import type { Cell, Tone } from '#server/workbook/cell.ts';
import { clockOf } from '#server/workbook/dates.ts';
import { dayCell } from '#server/workbook/day-cell.ts';
import { layOutHead } from '#server/workbook/list-sheet.ts';
import type { Locale } from '#shared/locale.ts';
import { m } from '#shared/texts/messages.js';
import type { SerialRow, ValuedRow } from '../result-rows.ts';

/** The language, time zone and day that cells are written with. */
export type CellContext = { locale: Locale; timeZone: string; today: string };

type Column = {
  header: Text;
  width: number;
  cell(row: SerialRow, context: Required<CellContext> & { clock: (instant: Date) => number }): Cell;
};

/** The columns of the screen, and the reason of a failure. */
const columns: Column[] = [
  { header: m.server_column_no, width: 8, cell: (row) => row.position },
  { header: m.server_column_serial, width: 20, cell: (row) => row.serial },
  { header: m.server_column_type, width: 24, cell: (row) => row.type },
  {
    header: m.server_column_status,
    width: 18,
    cell: ({ activation_status: status }, context) =>
      withTone(translateWord(status, context), status === 'activated' ? 'good' : 'quiet'),
  },
  { header: m.server_column_purchase_date, width: 15, cell: (row) => dayCell(row.purchase_date) },
  { header: m.server_column_warranty, width: 28, cell: (row) => row.warranty_title },
  { header: m.server_column_coverage_start, width: 15, cell: (row) => dayCell(row.coverage_start_date) },
  { header: m.server_column_coverage_end, width: 15, cell: (row) => dayCell(row.coverage_end_date) },
  { header: m.server_column_expires, width: 16, cell: describeEnd },
  {
    header: m.server_column_fetched_at,
    width: 18,
    cell: ({ fetched_at: at }, { clock }) => at && { value: clock(at), form: 'instant' },
  },
  {
    header: m.server_column_reason,
    width: 36,
    cell: (row, context) => withTone(describeFailure(row, context), 'bad'),
  },
];

/** The columns about the origin of a row's answer. */
const provenanceColumns: Column[] = [
  { header: m.server_column_original, width: 24, cell: (row) => row.original },
  { header: m.server_column_source, width: 16, cell: (row) => row.source },
  { header: m.server_column_attempts, width: 12, cell: (row) => row.attempts },
  {
    header: m.server_column_egress,
    width: 14,
    cell: ({ egress }, context) => translateWord(egress, context),
  },
  {
    header: m.server_column_cached,
    width: 14,
    cell: ({ cached }, { locale }) =>
      cached === null ? null : cached ? m.server_yes({}, { locale }) : m.server_no({}, { locale }),
  },
];

const words = new Map([
  ['activated', m.server_cell_activated],
  ['unactivated', m.server_cell_unactivated],
  ['direct', m.server_cell_direct],
  ['proxies', m.server_cell_proxies],
]);

function translateWord(word: string | null, { locale }: CellContext): string | null {
  return word && (words.get(word)?.({}, { locale }) ?? word);
}

function withTone(text: string | null, tone: Tone): Cell {
  return text === null ? null : { value: text, tone };
}

const soonDays = 30;

function describeEnd({ state, coverage_end_date: end }: SerialRow, context: CellContext): Cell {
  const text = describeExpiry(state, end, context.today);
  if (text === null) return null;
  const words = translateExpiry(text, context);
  if (end === null) return words;
  if (text === 'Expired') return withTone(words, 'bad');
  const isSoon = text === 'Expires today' || Number.parseInt(text, 10) <= soonDays;
  return isSoon ? withTone(words, 'soon') : words;
}

function describeFailure({ reason, details }: SerialRow, context: CellContext): string | null {
  if (reason === null) return null;
  const text = translateReason(reason, context);
  return details ? `${text}: ${translateDetails(details, context)}` : text;
}

/** Returns the columns that an uploaded sheet gets: all but the position, because its rows have their own places. */
export function layOutResults(context: CellContext, fields: readonly OwnField[]) {
  const { columns: all, cellsOf } = layOutSheet(context, false, fields);
  return { columns: all.slice(1), cellsOf: (row: ValuedRow): Cell[] => cellsOf(row).slice(1) };
}

/**
 * Returns the name and columns of the sheet of rows, and a function that writes a row's cells.
 * @param fields the own columns of the company
 */
export function layOutSheet(context: CellContext, provenance: boolean, fields: readonly OwnField[]) {
  const own = layOutFields(fields);
  const chosen = provenance ? [...columns, ...provenanceColumns] : columns;
  const given = { ...context, clock: clockOf(context.timeZone) };
  return {
    ...layOutHead({ name: m.server_sheet_coverage, columns: [...chosen, ...own] }, context.locale),
    cellsOf: (row: ValuedRow): Cell[] => [
      ...chosen.map(({ cell }) => cell(row, given)),
      ...own.map(({ cell }) => cell(row)),
    ],
  };
}
