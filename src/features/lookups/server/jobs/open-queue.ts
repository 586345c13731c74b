import { type ConstructorOptions, PgBoss } from 'pg-boss';
import type { Queryable } from '#server/db/db.ts';
import type { Log } from '#server/runtime/log.ts';

type QueueDatabase = NonNullable<ConstructorOptions['db']>;

/**
 * The interval of supervision. A dead worker's jobs are delivered again within this time after their heartbeat of 10
 * s is overdue.
 */
export const superviseSeconds = 2;

/** The part of pg-boss that the engine uses. */
export type JobQueue = Pick<PgBoss, 'fetch' | 'complete' | 'supervise'>;

/** Lets pg-boss use our pool, or a transaction of ours. */
export function asQueueDatabase(db: Queryable): QueueDatabase {
  return { executeSql: (text, values) => db.query(text, values) };
}

/**
 * Starts pg-boss. `maintenance.ts` supervises it while there are jobs. A migration has switched off its statistics.
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
