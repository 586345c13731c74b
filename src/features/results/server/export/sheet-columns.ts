import type { Locale } from '#shared/locale.ts';
import { translateDetails, translateExpiry, translateReason } from '#shared/row-texts.ts';
import { m } from '#shared/texts/messages.js';
import type { CoverageRow } from '../../results.contract.ts';

/** What a cell is made with, besides its row. */
export type CellContext = { locale: Locale; timeZone: string };

type Column = {
  header(inputs: Record<string, never>, options: { locale: Locale }): string;
  width: number;
  value(row: CoverageRow, context: CellContext): string | null;
};

/** The columns of the workbook after its first, the running number: those of the screen, and why a row failed. */
const columns: Column[] = [
  { header: m.server_column_serial, width: 20, value: (row) => row.serial_number },
  { header: m.server_column_type, width: 24, value: (row) => row.type },
  {
    header: m.server_column_status,
    width: 18,
    value: ({ activation_status: status }, context) => translateWord(status, context),
  },
  { header: m.server_column_purchase_date, width: 14, value: (row) => row.purchase_date },
  { header: m.server_column_warranty, width: 28, value: (row) => row.warranty_title },
  { header: m.server_column_coverage_start, width: 14, value: (row) => row.coverage_start_date },
  { header: m.server_column_coverage_end, width: 14, value: (row) => row.coverage_end_date },
  {
    header: m.server_column_expires,
    width: 16,
    value: ({ coverage_expires: text }, context) => text && translateExpiry(text, context),
  },
  {
    header: m.server_column_fetched_at,
    width: 20,
    value: (row, { timeZone }) => row.timestamp && formatInstant(row.timestamp, timeZone),
  },
  {
    header: m.server_column_reason,
    width: 30,
    value: (row, context) => describeFailure(row, context),
  },
];

/** Where a row's answer came from. */
const provenanceColumns: Column[] = [
  { header: m.server_column_original, width: 24, value: (row) => row.original },
  { header: m.server_column_source, width: 16, value: (row) => row.source },
  { header: m.server_column_attempts, width: 10, value: (row) => String(row.attempts) },
  {
    header: m.server_column_egress,
    width: 10,
    value: ({ egress }, context) => translateWord(egress, context),
  },
  {
    header: m.server_column_cached,
    width: 12,
    value: ({ cached }, { locale }) =>
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

function describeFailure({ reason, details }: CoverageRow, context: CellContext): string | null {
  if (reason === null) return null;
  const text = translateReason(reason, context);
  return details ? `${text}: ${translateDetails(details, context)}` : text;
}

/** The workbook in one language: its head, and the cells of a row; every cell is text. */
export function layOutSheet(context: CellContext, provenance: boolean) {
  const chosen = provenance ? [...columns, ...provenanceColumns] : columns;
  const { locale } = context;
  return {
    name: m.server_sheet_coverage({}, { locale }),
    columns: [
      { header: m.server_column_no({}, { locale }), width: 8 },
      ...chosen.map(({ header, width }) => ({ header: header({}, { locale }), width })),
    ],
    cellsOf: (row: CoverageRow, number: number) => [
      String(number),
      ...chosen.map(({ value }) => toCellText(value(row, context))),
    ],
  };
}

const mostCharacters = 32_767;

/** A text as a cell can hold it: no character that XML lacks, nothing that Excel reads as an escape, not too long. */
function toCellText(text: string | null): string | null {
  if (text === null) return null;
  const clean = text.toWellFormed().replaceAll(/[\uFFFE\uFFFF]/g, '\uFFFD');
  return clean.replaceAll(/_(?=x[0-9A-Fa-f]{4}_)/g, '_x005F_').slice(0, mostCharacters);
}

let format: Intl.DateTimeFormat | undefined;

/** `2026-11-21 18:30:05` on the clocks of a time zone. */
function formatInstant(instant: string, timeZone: string): string {
  if (format?.resolvedOptions().timeZone !== timeZone) {
    // The Swedish form of an instant is the ISO form without its T.
    format = new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'medium' });
  }
  return format.format(new Date(instant));
}
