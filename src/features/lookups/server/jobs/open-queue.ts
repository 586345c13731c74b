import { type ConstructorOptions, PgBoss } from 'pg-boss';
import type { Queryable } from '#server/db/db.ts';
import type { Log } from '#server/runtime/log.ts';

type QueueDatabase = NonNullable<ConstructorOptions['db']>;

/** How often the queue is to be supervised: a dead worker's jobs come back so long after their heartbeat of 10 s is overdue. */
export const superviseSeconds = 2;

/** What the engine uses of the queue. */
export type JobQueue = Pick<PgBoss, 'fetch' | 'complete' | 'supervise'>;

/** Has the queue use our pool, or a transaction of ours. */
export function asQueueDatabase(db: Queryable): QueueDatabase {
  return { executeSql: (text, values) => db.query(text, values) };
}

/**
 * Starts the queue. It is supervised where there are jobs (maintenance.ts), not by a timer of its own. Its statistics are
 * switched off: a migration has put their next time off for ever.
 */
export async function openQueue(db: Queryable, log: Log): Promise<PgBoss> {
  const queue = new PgBoss({
    db: asQueueDatabase(db),
    schedule: false,
    supervise: false,
    monitorIntervalSeconds: superviseSeconds,
  });
  queue.on('error', (error) => log.warn({ err: error }, 'the job queue failed'));
  await queue.start();
  return queue;
}
