// The thread that writes one audit log file, with its own database connection.
import { workerData } from 'node:worker_threads';
import type pg from 'pg';
import { writeListFile } from '#server/threads/list-file.ts';
import type { ThreadFileData } from '#server/threads/thread-file.ts';
import { clockOf } from '#server/workbook/dates.ts';
import type { ListSheet } from '#server/workbook/list-sheet.ts';
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

const job = workerData as ThreadFileData<AuditFileJob>;
const { scopedQuery, timeZone, locale } = job;

// The file has one language, and the thread writes nothing else.
overwriteGetLocale(() => locale);
const formats = fileFormats(locale, timeZone);
const clock = clockOf(timeZone);

const columns: ListSheet<AuditEntry>['columns'] = [
  { header: m.audit_at, width: 18, cell: ({ at }) => ({ value: clock(new Date(at)), form: 'instant' }) },
  { header: m.audit_actor, width: 40, cell: nameActor },
  { header: m.audit_token, width: 24, cell: ({ token }) => token?.name ?? null },
  { header: m.audit_address, width: 18, cell: ({ address }) => address },
  { header: m.audit_action, width: 26, cell: ({ action }) => describeAction(action) },
  { header: m.audit_object, width: 30, cell: (entry) => nameObject(entry, formats) },
  { header: m.audit_company, width: 30, cell: nameCompany },
  { header: m.audit_before, width: 50, cell: (entry) => listValues(entry, 'before') },
  { header: m.audit_after, width: 50, cell: (entry) => listValues(entry, 'after') },
];

function listValues(entry: AuditEntry, side: 'before' | 'after'): string | null {
  const values = listChanges(entry, formats).filter((change) => change[side] !== null);
  return values.map((change) => `${nameField(change.name)}: ${change[side]}`).join(', ') || null;
}

async function* readAudit(client: pg.Client): AsyncGenerator<AuditEntry[]> {
  for await (const rows of readEntries(client, scopedQuery, timeZone, rowsAtOnce))
    yield rows.map(describeEntry);
}

writeListFile(job, 'audit', {
  read: readAudit,
  describe: (entry) => entry,
  sheet: { name: m.audit_title, columns },
});
