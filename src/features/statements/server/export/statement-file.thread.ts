// The thread that writes one file of statements, with its own database connection.
import { workerData } from 'node:worker_threads';
import { createThreadClient } from '#server/threads/thread-client.ts';
import type { ThreadFileData } from '#server/threads/thread-file.ts';
import { writeThreadFile } from '#server/threads/thread-file-writer.ts';
import { writeJsonArray } from '#server/threads/write-json-array.ts';
import type { Cell } from '#server/workbook/cell.ts';
import { dayCell } from '#server/workbook/day-cell.ts';
import { layOutHead } from '#server/workbook/list-sheet.ts';
import { writeWorkbook } from '#server/workbook/write-workbook.ts';
import { longMonths } from '#shared/long-months.ts';
import { m } from '#shared/texts/messages.js';
import { nameLine } from '../../name-line.shared.ts';
import type { Statement } from '../../statements.contract.ts';
import { readStatements } from '../statements.service.ts';
import type { StatementFileJob } from './statement-file.ts';

const { readUrl, scopedQuery, format, locale } = workerData as ThreadFileData<StatementFileJob>;
const client = createThreadClient(readUrl, 'statements');

const columns = [
  { header: m.statements_company, width: 14 },
  { header: m.statements_company_name, width: 28 },
  { header: m.statements_ticket, width: 12 },
  { header: m.statements_date, width: 14 },
  { header: m.statements_file, width: 28 },
  { header: m.statements_rows, width: 12 },
  { header: m.statements_price, width: 16 },
  { header: m.statements_subtotal, width: 18 },
  { header: m.statements_discount, width: 16 },
  { header: m.statements_total, width: 18 },
];

async function* batches(): AsyncGenerator<Statement[]> {
  await client.connect();
  yield* readStatements(client, scopedQuery);
}

async function* listRows(): AsyncGenerator<Cell[][]> {
  let companies = 0;
  let sum = 0;
  for await (const statements of batches()) {
    companies += statements.length;
    sum += statements.reduce((all, { total }) => all + total, 0);
    yield statements.flatMap(layOut);
  }
  if (companies > 1) yield [sumRow([null, null], m.statements_sums({}, { locale }), sum)];
}

const months = longMonths(locale, scopedQuery.timeZone);
const formatMonth = (instant: string) => months.format(new Date(instant));

const money = (value: number): Cell => ({ value, form: 'money' });

/** Lays out a line for each ticket, and the company's total below them. */
function layOut({ company_code: code, company_name: name, tickets, total }: Statement): Cell[][] {
  const lines = tickets.map((line): Cell[] => [
    code,
    name,
    line.ticket_number,
    dayCell(line.date),
    nameLine(line, locale, formatMonth),
    line.billable,
    money(line.price),
    money(line.subtotal),
    money(line.discount),
    money(line.total),
  ]);
  return [...lines, sumRow([code, name], m.statements_sum({}, { locale }), total)];
}

const sumRow = (company: Cell[], label: string, total: number): Cell[] => [
  ...company,
  null,
  null,
  label,
  null,
  null,
  null,
  null,
  money(total),
];

const file =
  format === 'json'
    ? writeJsonArray(batches())
    : writeWorkbook([{ ...layOutHead({ name: m.statements_title, columns }, locale), rows: listRows() }]);
writeThreadFile(file, () => client.end());
