import { type ConstructorOptions, PgBoss } from 'pg-boss';
import type { Queryable } from '#server/db.ts';
import type { Log } from '#server/log.ts';

type QueueDatabase = NonNullable<ConstructorOptions['db']>;

/** What the engine uses of the queue. */
export type JobQueue = Pick<PgBoss, 'fetch' | 'complete'>;

/** Has the queue use our pool, or a transaction of ours. */
export function asQueueDatabase(db: Queryable): QueueDatabase {
  return { executeSql: (text, values) => db.query(text, values) };
}

/**
 * Starts the queue. It also gives jobs back whose worker sends no heartbeat any more. Its statistics are switched off: a
 * migration has put their next time off for ever.
 */
export async function openQueue(db: Queryable, log: Log): Promise<PgBoss> {
  const queue = new PgBoss({
    db: asQueueDatabase(db),
    schedule: false,
    // A dead worker's jobs come back about 2 s after their heartbeat of 10 s is overdue.
    superviseIntervalSeconds: 2,
    monitorIntervalSeconds: 2,
  });
  queue.on('error', (error) => log.warn({ err: error }, 'the job queue failed'));
  await queue.start();
  return queue;
}
