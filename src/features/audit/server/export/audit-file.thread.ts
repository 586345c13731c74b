// The thread that writes one audit log file, with its own database connection.
import { workerData } from 'node:worker_threads';
import { createThreadClient } from '#server/threads/thread-client.ts';
import type { ThreadFileData } from '#server/threads/thread-file.ts';
import { writeThreadFile } from '#server/threads/thread-file-writer.ts';
import { writeJsonArray } from '#server/threads/write-json-array.ts';
import type { Cell } from '#server/workbook/cell.ts';
import { clockOf } from '#server/workbook/dates.ts';
import { writeWorkbook } from '#server/workbook/write-workbook.ts';
import { m } from '#shared/texts/messages.js';
import { overwriteGetLocale } from '#shared/texts/runtime.js';
import type { AuditEntry } from '../../audit.contract.ts';
import { describeAction, nameField } from '../../audit-words.shared.ts';
import { listChanges, nameActor, nameCompany, nameObject } from '../../describe-entry.shared.ts';
import { readEntries } from '../audit.queries.ts';
import { describeEntry } from '../audit.service.ts';
import type { AuditFileJob } from './audit-file.ts';
import { fileFormats } from './file-formats.ts';

const rowsAtOnce = 1000;

const { readUrl, filter, timeZone, format, locale } = workerData as ThreadFileData<AuditFileJob>;
const client = createThreadClient(readUrl, 'audit');

// The file has one language, and the thread writes nothing else.
overwriteGetLocale(() => locale);
const formats = fileFormats(locale, timeZone);
const clock = clockOf(timeZone);

const columns: { header: string; width: number; cell(entry: AuditEntry): Cell }[] = [
  {
    header: m.audit_at(),
    width: 18,
    cell: ({ at }) => ({ value: clock(new Date(at)), form: 'instant' }),
  },
  { header: m.audit_actor(), width: 40, cell: nameActor },
  { header: m.audit_address(), width: 18, cell: ({ address }) => address },
  { header: m.audit_action(), width: 26, cell: ({ action }) => describeAction(action) },
  { header: m.audit_object(), width: 30, cell: (entry) => nameObject(entry, formats) },
  { header: m.audit_company(), width: 30, cell: nameCompany },
  { header: m.audit_before(), width: 50, cell: (entry) => listValues(entry, 'before') },
  { header: m.audit_after(), width: 50, cell: (entry) => listValues(entry, 'after') },
];

function listValues(entry: AuditEntry, side: 'before' | 'after'): string | null {
  const values = listChanges(entry, formats).filter((change) => change[side] !== null);
  return values.map((change) => `${nameField(change.name)}: ${change[side]}`).join(', ') || null;
}

async function* batches(): AsyncGenerator<AuditEntry[]> {
  await client.connect();
  for await (const rows of readEntries(client, filter, timeZone, rowsAtOnce)) yield rows.map(describeEntry);
}

async function* listRows(): AsyncGenerator<Cell[][]> {
  for await (const entries of batches()) yield entries.map((entry) => columns.map(({ cell }) => cell(entry)));
}

const name = m.audit_title();
const file =
  format === 'json' ? writeJsonArray(batches()) : writeWorkbook([{ name, columns, rows: listRows() }]);
writeThreadFile(file, () => client.end());
