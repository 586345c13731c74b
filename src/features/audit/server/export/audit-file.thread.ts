// The thread that writes one audit log file, with its own database connection.
import { workerData } from 'node:worker_threads';
import { createThreadClient } from '#server/threads/thread-client.ts';
import { writeThreadFile } from '#server/threads/thread-file-writer.ts';
import { writeJsonArray } from '#server/threads/write-json-array.ts';
import type { Cell } from '#server/workbook/cell.ts';
import { writeWorkbook } from '#server/workbook/write-workbook.ts';
import { m } from '#shared/texts/messages.js';
import type { AuditEntry } from '../../audit.contract.ts';
import { readEntries } from '../audit.queries.ts';
import { describeEntry } from '../audit.service.ts';
import type { AuditFileJob } from './audit-file.ts';

const rowsAtOnce = 1000;

const { databaseUrl, filter, timeZone, format, locale } = workerData as AuditFileJob;
const client = createThreadClient(databaseUrl, 'audit');

const columns = [
  { header: m.audit_at({}, { locale }), width: 24 },
  { header: m.audit_actor({}, { locale }), width: 28 },
  { header: m.audit_address({}, { locale }), width: 18 },
  { header: m.audit_action({}, { locale }), width: 22 },
  { header: m.audit_object_type({}, { locale }), width: 14 },
  { header: m.audit_object({}, { locale }), width: 18 },
  { header: m.audit_company({}, { locale }), width: 14 },
  { header: m.audit_before({}, { locale }), width: 50 },
  { header: m.audit_after({}, { locale }), width: 50 },
];

async function* batches(): AsyncGenerator<AuditEntry[]> {
  await client.connect();
  for await (const rows of readEntries(client, filter, timeZone, rowsAtOnce)) yield rows.map(describeEntry);
}

async function* listRows(): AsyncGenerator<Cell[][]> {
  for await (const entries of batches()) yield entries.map(layOut);
}

function layOut(entry: AuditEntry): Cell[] {
  return [
    entry.at,
    entry.actor?.email ?? null,
    entry.address,
    entry.action,
    entry.object_type,
    entry.object_id,
    entry.company_code,
    entry.before && JSON.stringify(entry.before),
    entry.after && JSON.stringify(entry.after),
  ];
}

const name = m.audit_title({}, { locale });
const file =
  format === 'json' ? writeJsonArray(batches()) : writeWorkbook([{ name, columns, rows: listRows() }]);
writeThreadFile(file, () => client.end());
