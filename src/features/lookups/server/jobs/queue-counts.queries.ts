import { int4 } from '#server/db/column-types.ts';
import type { Queryable } from '#server/db/db.ts';
import { statement } from '#server/db/statement.ts';
import { lookupQueue } from './lookup-jobs.queries.ts';

const count = statement({
  text: `SELECT count(*) FILTER (WHERE state < 'active')::integer AS ready,
            count(*) FILTER (WHERE state = 'active')::integer AS active,
            (SELECT count(*)::integer FROM waiting_jobs) AS waiting,
            coalesce(extract(epoch FROM now() - min(created_on) FILTER (WHERE state < 'active')), 0)::integer AS oldest_seconds
     FROM pgboss.job WHERE name = $1 AND state <= 'active'`,
  row: { ready: int4, active: int4, waiting: int4, oldest_seconds: int4 },
});

/** The jobs of the lookup queue: those that may be fetched, are held, or wait; and the age of the oldest of the first. */
export type QueueCounts = { ready: number; active: number; waiting: number; oldest_seconds: number };

export function countQueue(db: Queryable): Promise<QueueCounts> {
  return count.one(db, [lookupQueue]);
}
