import type { Queryable } from '#server/db.ts';
import { lookupsChannel, releaseJobs } from '../jobs/lookup-jobs.queries.ts';
import { reopenSource } from './circuit.queries.ts';

/** Opens a source again and lets go on what waited for it. */
export async function openSource(
  tx: Queryable,
  name: string,
  { unpause }: { unpause: boolean },
): Promise<void> {
  await reopenSource(tx, name, unpause);
  await releaseJobs(tx, [`source:${name}`]);
  await tx.query('SELECT pg_notify($1, $2)', [lookupsChannel, '']);
}
