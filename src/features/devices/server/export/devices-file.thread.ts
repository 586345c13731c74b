// The thread that writes one file of devices, with its own database connection.
import { workerData } from 'node:worker_threads';
import { writeListFile } from '#server/threads/list-file.ts';
import type { ThreadFileData } from '#server/threads/thread-file.ts';
import { describeDevice } from '../describe-device.ts';
import { readDevices } from '../devices.queries.ts';
import { layOutDevices } from './device-columns.ts';
import type { DevicesFileJob } from './download-devices.ts';

const rowsAtOnce = 1000;

const job = workerData as ThreadFileData<DevicesFileJob>;
const { scopedQuery, order, fields, locale } = job;

writeListFile(job, 'devices', {
  read: (client) => readDevices(client, scopedQuery, order, rowsAtOnce),
  describe: (row) => describeDevice(row, scopedQuery.today),
  sheet: layOutDevices(locale, scopedQuery, fields),
});
