// Reads or writes one workbook with exceljs, by its cheapest settings: streaming, no styles, dates as numbers.
import { PassThrough } from 'node:stream';
import ExcelJS from 'exceljs';
import pg from 'pg';
import { sendUsage } from './run-peer.ts';

const [way = '', file = '', databaseUrl = '', ticketId = ''] = process.argv.slice(2);
/** `read` counts the cells of column A, `write` writes the results of a ticket, `annotate` adds them to the file's rows. */
const ways: Record<string, () => Promise<void>> = { read, write, annotate };
const work = ways[way];
if (!work) throw new Error(`no way ${way}`);
await sendUsage(work);

async function read(): Promise<void> {
  let found = 0;
  for await (const row of listSheetRows()) if (row.getCell(1).value) found += 1;
  if (found === 0) throw new Error('nothing was read');
}

async function write(): Promise<void> {
  const { book, sheet } = createBook();
  for await (const { position, serial, cells } of listResults()) {
    sheet.addRow([position, serial, ...cells]).commit();
  }
  await book.commit();
}

async function annotate(): Promise<void> {
  const { book, sheet } = createBook();
  const results = listResults();
  let next = await results.next();
  for await (const row of listSheetRows()) {
    const added = !next.done && next.value.sheet_row === row.number ? next.value.cells : [];
    sheet.addRow([...row.values.slice(1), ...added]).commit();
    if (added.length > 0) next = await results.next();
  }
  await book.commit();
}

function createBook() {
  const stream = new PassThrough().resume();
  const book = new ExcelJS.stream.xlsx.WorkbookWriter({ stream, useStyles: false, useSharedStrings: false });
  return { book, sheet: book.addWorksheet('Devices') };
}

async function* listSheetRows() {
  for await (const sheet of new ExcelJS.stream.xlsx.WorkbookReader(file, { styles: 'ignore' })) yield* sheet;
}

/** Reads the rows of the ticket by a cursor. */
async function* listResults() {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  await client.query('BEGIN');
  await client.query(
    `DECLARE results CURSOR FOR SELECT position, sheet_row, serial, type, activation_status, purchase_date, warranty_title,
       coverage_start_date, coverage_end_date, fetched_at, reason
     FROM serials WHERE ticket_id = ${Number(ticketId)} ORDER BY position`,
  );
  for (;;) {
    const { rows } = await client.query('FETCH 1000 FROM results');
    if (rows.length === 0) break;
    for (const row of rows) {
      const dates = [row.coverage_start_date, row.coverage_end_date].map(dayNumber);
      const cells = [
        row.type,
        row.activation_status,
        dayNumber(row.purchase_date),
        row.warranty_title,
        ...dates,
      ];
      const expires = `${Math.ceil((dates[1] ?? 0) - dayNumber(new Date()))} days`;
      yield { ...row, cells: [...cells, expires, dayNumber(row.fetched_at), row.reason] };
    }
  }
  await client.end();
}

/** Returns a date as workbooks store it, in days. */
function dayNumber(date: Date): number {
  return Number(date) / 86_400_000 + 25_569;
}
