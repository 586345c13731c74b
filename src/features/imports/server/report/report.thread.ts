// The thread that writes one import report, with its own database connection.
import { workerData } from 'node:worker_threads';
import { translateDetails, translateReason } from '#features/imports/failure-texts.shared.ts';
import { createThreadClient } from '#server/threads/thread-client.ts';
import type { ThreadFileData } from '#server/threads/thread-file.ts';
import { writeThreadFile } from '#server/threads/thread-file-writer.ts';
import { layOutHead } from '#server/workbook/list-sheet.ts';
import { writeWorkbook } from '#server/workbook/write-workbook.ts';
import { m } from '#shared/texts/messages.js';
import { invalidSerial } from '../import-texts.ts';
import { type ReportRow, readReport } from './report.queries.ts';
import type { ReportJob } from './report.service.ts';

const rowsAtOnce = 1000;

const { readUrl, ticketId, locale } = workerData as ThreadFileData<ReportJob>;
const client = createThreadClient(readUrl, 'report');

const columns = [
  { header: m.server_import_report_row, width: 10 },
  { header: m.server_import_report_value, width: 30 },
  { header: m.server_import_report_problem, width: 24 },
  { header: m.server_import_report_details, width: 44 },
];

function describe({ sheet_row, value, details, first_row }: ReportRow): string[] {
  const [problem, more] =
    first_row === null
      ? [translateReason(invalidSerial, { locale }), translateDetails(details ?? '', { locale })]
      : [
          m.server_import_report_duplicate({}, { locale }),
          m.server_import_report_first({ row: String(first_row) }, { locale }),
        ];
  return [String(sheet_row), value, problem, more];
}

async function* listRows(): AsyncGenerator<string[][]> {
  await client.connect();
  for await (const rows of readReport(client, ticketId, rowsAtOnce)) yield rows.map(describe);
}

const head = layOutHead({ name: m.server_import_report_sheet, columns }, locale);
writeThreadFile(writeWorkbook([{ ...head, rows: listRows() }]), () => client.end());
