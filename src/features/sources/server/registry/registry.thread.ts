// The thread of one upload of a list. Reads the workbook and writes its rows through its own connection.
import { workerData } from 'node:worker_threads';
import type pg from 'pg';
import { record } from '#features/audit/server/audit.service.ts';
import { toCopyLine } from '#server/db/bulk/copy-line.ts';
import { RowWriter } from '#server/db/bulk/row-writer.ts';
import { deadlines } from '#server/db/connection/open-db.ts';
import type { Caller } from '#server/http/caller.ts';
import { requireSession } from '#server/http/caller-rights.ts';
import type { Origin } from '#server/http/origin.ts';
import { CellReadings } from '#server/sheet/cell-readings.ts';
import { readSheet } from '#server/sheet/read-sheet.ts';
import { explainSheetError } from '#server/sheet/sheet-failure.ts';
import type { SheetRow } from '#server/sheet/sheet-row.ts';
import { createThreadClient } from '#server/threads/thread-client.ts';
import { runThreadTask } from '#server/threads/thread-task-runner.ts';
import { isHeader } from '#shared/identifier.ts';
import { clearRegistry, copyRegistryRows, listRegistries, storeRegistrySize } from './registry.queries.ts';
import { type RegistryRow, type RowFault, readRegistryRow, registryColumns } from './registry-row.ts';

/** The task of the thread: replace the list of `source` by the workbook at `path`. */
export type UploadTask = {
  databaseUrl: string;
  caller: Caller;
  source: string;
  path: string;
  maxRows: number;
  timezone: string;
  /** The uploading user and address. */
  origin: Origin;
};

/** A rejected row. `first` is the row with the same device. */
export type RejectedRow = { row: number; fault: RowFault; first?: number };

const rejectedShown = 100;

/** The result of reading the workbook. Without a device the old list stays. */
export type UploadResult = { imported: number; rejectedCount: number; rejected: RejectedRow[] };

const task = workerData as UploadTask;

async function replaceList(client: pg.Client): Promise<UploadResult> {
  const { source, timezone, path, maxRows } = task;
  await client.query('BEGIN');
  const before = (await listRegistries.all(client)).find((list) => list.source === source);
  await clearRegistry(client, source);
  const writer = new RowWriter(client);
  const readings = new CellReadings();
  const rowOf = new Map<string, number>();
  const rejected: RejectedRow[] = [];
  let imported = 0;
  let rejectedCount = 0;
  let isFirst = true;

  const reject = (rejection: RejectedRow) => {
    rejectedCount += 1;
    if (rejected.length < rejectedShown) rejected.push(rejection);
  };
  const accept = (row: number, reading: RegistryRow | RowFault): string => {
    if (typeof reading === 'string') {
      reject({ row, fault: reading });
      return '';
    }
    const { serials, purchaseDate, warrantyTitle, start, end } = reading;
    const first = serials.map((serial) => rowOf.get(serial)).find((known) => known !== undefined);
    if (first !== undefined) {
      reject({ row, fault: 'duplicate', first });
      return '';
    }
    imported += 1;
    for (const serial of serials) rowOf.set(serial, row);
    return serials
      .map((serial) => toCopyLine([source, serial, purchaseDate, warrantyTitle, start, end]))
      .join('');
  };
  const isColumnName = ({ cells: [device] }: SheetRow) => device !== undefined && isHeader(device);

  await readSheet(path, { columns: registryColumns, maxRows }, async (rows, { date1904 }) => {
    const data = isFirst && rows[0] && isColumnName(rows[0]) ? rows.slice(1) : rows;
    isFirst = false;
    const lines = data
      .map((row) => accept(row.row, readRegistryRow(row, readings, { date1904, timezone })))
      .join('');
    await writer.add(copyRegistryRows, lines);
  });
  await writer.end();
  if (imported > 0) await storeRegistrySize.run(client, { source, devices: imported });
  const action = {
    action: 'registry.replace',
    objectId: source,
    before: before ? { devices: before.devices, uploaded_at: before.uploaded_at.toISOString() } : null,
    after: { devices: imported, rejected_count: rejectedCount },
  } as const;
  await record(client, action, task.origin);
  await requireSession(client, task.caller);
  await client.query(imported > 0 ? 'COMMIT' : 'ROLLBACK');
  return { imported, rejectedCount, rejected };
}

runThreadTask<UploadResult, never>(
  async (tell) => {
    const client = createThreadClient(task.databaseUrl, 'list upload', deadlines.imports);
    await client.connect();
    try {
      tell({ kind: 'answer', answer: await replaceList(client) });
    } finally {
      // Closing the connection rolls an open transaction back.
      await client.end();
    }
  },
  (error, uncaught) => explainSheetError(task.maxRows, error, uncaught),
);
