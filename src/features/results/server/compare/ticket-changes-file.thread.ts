// The thread that writes one file of changes between two tickets, with its own database connection.
import { workerData } from 'node:worker_threads';
import { batchesWithFields } from '#features/devices/server/devices.service.ts';
import {
  describeChange,
  layOutChanges,
  nameKinds,
} from '#features/rechecks/server/changes/change-kinds.service.ts';
import { writeListFile } from '#server/threads/list-file.ts';
import type { ThreadFileData } from '#server/threads/thread-file.ts';
import { m } from '#shared/texts/messages.js';
import { readTicketChanges } from './ticket-changes.queries.ts';
import type { TicketChangesJob } from './ticket-changes.service.ts';

const rowsAtOnce = 1000;

const job = workerData as ThreadFileData<TicketChangesJob>;
const { locale } = job;

writeListFile(job, 'changes', {
  read: (client) =>
    batchesWithFields(
      client,
      job.companyCode,
      job.fields,
      readTicketChanges(client, job.tickets, job.kind, rowsAtOnce),
    ),
  describe: describeChange,
  sheet: layOutChanges(
    locale,
    {
      ...nameKinds(locale),
      added: m.server_change_added({}, { locale }),
      removed: m.server_change_removed({}, { locale }),
    },
    job.fields,
  ),
});
