// The thread that writes one file of devices, with its own database connection.
import { workerData } from 'node:worker_threads';
import { createThreadClient } from '#server/threads/thread-client.ts';
import type { ThreadFileData } from '#server/threads/thread-file.ts';
import { writeThreadFile } from '#server/threads/thread-file-writer.ts';
import { writeJsonArray } from '#server/threads/write-json-array.ts';
import { writeWorkbook } from '#server/workbook/write-workbook.ts';
import { describeDevice } from '../describe-device.ts';
import { type DeviceRow, readDevices } from '../devices.queries.ts';
import { layOutDevices } from './device-columns.ts';
import type { DevicesFileJob } from './download-devices.ts';

const rowsAtOnce = 1000;

const { readUrl, asked, order, format, locale } = workerData as ThreadFileData<DevicesFileJob>;
const client = createThreadClient(readUrl, 'devices');

async function* batches(): AsyncGenerator<DeviceRow[]> {
  await client.connect();
  yield* readDevices(client, asked, order, rowsAtOnce);
}

async function* describeDevices() {
  for await (const rows of batches()) yield rows.map((row) => describeDevice(row, asked.today));
}

const { cellsOf, ...sheet } = layOutDevices(locale, asked);

async function* listRows() {
  for await (const rows of batches()) yield rows.map(cellsOf);
}

const file =
  format === 'json' ? writeJsonArray(describeDevices()) : writeWorkbook([{ ...sheet, rows: listRows() }]);
writeThreadFile(file, () => client.end());
