// A process that delivers what is due on the database of its argument, until it is killed.
import { setTimeout as delay } from 'node:timers/promises';
import { Deliveries } from '#features/webhooks/server/delivery/deliver.ts';
import { createReceiverConnections } from '#features/webhooks/server/delivery/send-message.ts';
import { openDb } from '#server/db/connection/open-db.ts';
import { createLog } from '#server/runtime/log.ts';

const log = createLog('test', 'silent');
const db = openDb(process.argv[2] ?? '', log, 2);
const deliveries = new Deliveries(
  { db, log, publicUrl: 'http://coverdesk.test' },
  createReceiverConnections(true),
);
for (;;) {
  await deliveries.startDue(() => undefined);
  await delay(20);
}
