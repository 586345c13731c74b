import type { Queryable } from '#server/db.ts';
import { notify } from '#server/notify.queries.ts';
import { releaseJobs } from '../jobs/follow-up-jobs.queries.ts';
import { lookupsChannel } from '../jobs/lookup-jobs.queries.ts';
import { type Closing, markSourceUp } from './circuit.queries.ts';

/**
 * Closes a source's circuit: the source is asked again, and the jobs that waited for it are due.
 * @param why.resume whether this also ends a pause by hand
 */
export async function closeCircuit(tx: Queryable, name: string, why: Closing): Promise<void> {
  await markSourceUp(tx, name, why);
  await releaseJobs(tx, name);
  await notify(tx, lookupsChannel);
}
