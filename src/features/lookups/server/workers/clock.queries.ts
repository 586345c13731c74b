import { statement } from '#server/db/statement.ts';
import { resetToReady } from '../jobs/lookup-jobs.queries.ts';
import { permitMs } from './workers.queries.ts';

/** SQL: a column, or the end of its longest interval if that is earlier. Null stays: `least` alone would pass over it. */
const atMost = (column: string, interval: string) =>
  `CASE WHEN ${column} IS NOT NULL THEN least(${column}, clock_timestamp() + ${interval}) END`;

const permits = `interval '${permitMs} milliseconds'`;

/**
 * Shortens each wait for a time of the database's clock to its longest interval, which it exceeds only if the clock has
 * been set back: probes of sources, rests of proxies, and the holdings of gone workers. Jobs that were given back later than
 * now are ready: their rows wait no longer than they had to. Others wait at most their own interval from now on. Run it only
 * when the clock may have been set back, because it reads all of them.
 */
export const shortenWaits = statement({
  // `clock_timestamp()`, because another worker's transaction may have begun later than this one.
  text: `WITH probes AS (
       UPDATE sources SET probe_at = clock_timestamp() + longest.wait
       FROM (VALUES (true, interval '5 seconds'), (false, interval '5 minutes')) AS longest (down, wait)
       WHERE longest.down = (state = 'down') AND probe_at > clock_timestamp() + longest.wait),
     rests AS (
       UPDATE proxy_states SET rest_until = now() + interval '30 minutes' WHERE rest_until > now() + interval '30 minutes'),
     waiting_jobs AS (
       UPDATE lookup_jobs SET ${resetToReady} WHERE id = ANY(ARRAY(
         SELECT id FROM lookup_jobs WHERE queued_at > now() AND holder IS NULL FOR UPDATE SKIP LOCKED)))
     UPDATE workers SET heartbeat = least(heartbeat, clock_timestamp()), gone_at = ${atMost('gone_at', permits)}
     WHERE heartbeat > clock_timestamp() OR gone_at > clock_timestamp() + ${permits}`,
});
