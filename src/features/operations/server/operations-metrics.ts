import { Counter, Gauge, type Registry } from 'prom-client';
import { countQueue } from '#features/lookups/server/lookups.service.ts';
import { findLastGoodBackup } from '#server/backup/backups.queries.ts';
import { singleFlight } from '#server/concurrency/single-flight.ts';
import type { Db } from '#server/db/db.ts';
import { fromDatabase } from '#server/monitoring/database-metric.ts';
import type { Context } from '#server/runtime/context.ts';
import { countFailingMails, readDatabase } from './operations.queries.ts';

/**
 * Adds metrics of the job queue, the database, its replica, the last backup and stored mails, read whenever the metrics are.
 * @param db the connections of the metrics
 */
export function registerOperationsMetrics(
  registry: Registry,
  db: Db,
  { readRouter }: Pick<Context, 'readRouter'>,
): void {
  const registers = [registry];
  // Two metrics of each.
  const readQueue = singleFlight(() => countQueue.one(db));
  const readBackup = singleFlight(() => findLastGoodBackup.first(db));
  new Gauge({
    name: 'coverdesk_queue_jobs',
    help: 'Jobs of the lookup queue by state',
    labelNames: ['state'],
    registers,
    collect: fromDatabase<Gauge<'state'>>(async (gauge) => {
      const { ready, active, waiting } = await readQueue();
      for (const [state, jobs] of Object.entries({ ready, active, waiting })) gauge.set({ state }, jobs);
    }),
  });
  new Gauge({
    name: 'coverdesk_queue_oldest_seconds',
    help: 'Age of the oldest job that a worker may fetch',
    registers,
    collect: fromDatabase<Gauge>(async (gauge) => {
      gauge.set((await readQueue()).oldest_seconds);
    }),
  });
  new Gauge({
    name: 'coverdesk_database_size_bytes',
    help: 'Size of the database',
    registers,
    collect: fromDatabase<Gauge>(async (gauge) => {
      gauge.set((await readDatabase.one(db)).size_bytes);
    }),
  });
  new Counter({
    name: 'coverdesk_heavy_reads_total',
    help: 'Reads of many rows and files for download, by the server that answered',
    labelNames: ['server'],
    registers,
    collect() {
      this.reset();
      for (const [server, reads] of Object.entries(readRouter.counts)) this.inc({ server }, reads);
    },
  });
  const { replica } = readRouter;
  if (replica) {
    new Gauge({
      name: 'coverdesk_replica_up',
      help: 'Whether the read replica answers and follows the primary',
      registers,
      collect() {
        this.set(replica.status().state === 'lost' ? 0 : 1);
      },
    });
    new Gauge({
      name: 'coverdesk_replica_lag_bytes',
      help: 'Bytes of WAL that the read replica had not replayed at the last check; none while it is lost',
      registers,
      collect() {
        const { lagBytes } = replica.status();
        if (lagBytes === null) this.remove();
        else this.set(lagBytes);
      },
    });
  }
  new Gauge({
    name: 'coverdesk_backup_last_success_timestamp_seconds',
    help: 'When the last backup was made; 0 before the first',
    registers,
    collect: fromDatabase<Gauge>(async (gauge) => {
      gauge.set(((await readBackup())?.ended_at.getTime() ?? 0) / 1000);
    }),
  });
  new Gauge({
    name: 'coverdesk_backup_size_bytes',
    help: 'Size of the last backup that was made; 0 before the first',
    registers,
    collect: fromDatabase<Gauge>(async (gauge) => {
      gauge.set((await readBackup())?.size_bytes ?? 0);
    }),
  });
  new Gauge({
    name: 'coverdesk_mails_failing',
    help: 'Stored mails that failed and are tried again',
    registers,
    collect: fromDatabase<Gauge>(async (gauge) => {
      gauge.set((await countFailingMails.one(db)).mails);
    }),
  });
}
