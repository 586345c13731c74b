import { int4 } from '#server/db/column-types.ts';
import { statement } from '#server/db/statement.ts';
import { lookupQueue } from './lookup-jobs.queries.ts';

/** Counts the jobs that may be fetched, are held, or wait; and the age of the oldest of the first. */
export const countQueue = statement({
  text: `SELECT count(*) FILTER (WHERE state < 'active')::integer AS ready,
            count(*) FILTER (WHERE state = 'active')::integer AS active,
            (SELECT count(*)::integer FROM waiting_jobs) AS waiting,
            coalesce(extract(epoch FROM now() - min(created_on) FILTER (WHERE state < 'active')), 0)::integer AS oldest_seconds
     FROM pgboss.job WHERE name = '${lookupQueue}' AND state <= 'active'`,
  row: { ready: int4, active: int4, waiting: int4, oldest_seconds: int4 },
}).oneWith();
