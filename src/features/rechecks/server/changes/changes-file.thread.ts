// The thread that writes one file of changes, with its own database connection.
import { workerData } from 'node:worker_threads';
import { batchesWithFields } from '#features/devices/server/devices.service.ts';
import { writeListFile } from '#server/threads/list-file.ts';
import type { ThreadFileData } from '#server/threads/thread-file.ts';
import { layOutChanges, nameKinds } from './change-columns.ts';
import { readChanges } from './changes.queries.ts';
import type { ChangesFileJob } from './changes.service.ts';
import { describeChange } from './describe-change.ts';

const rowsAtOnce = 1000;

const job = workerData as ThreadFileData<ChangesFileJob>;

writeListFile(job, 'changes', {
  read: (client) =>
    batchesWithFields(
      client,
      job.scopedQuery.companyCode,
      job.fields,
      readChanges(client, job.scopedQuery, rowsAtOnce),
    ),
  describe: describeChange,
  sheet: layOutChanges(job.locale, nameKinds(job.locale), job.fields),
});
