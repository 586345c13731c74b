import { jsonb } from '#server/db/column-types.ts';
import type { Queryable } from '#server/db/db.ts';
import { statement } from '#server/db/statement.ts';
import { steadyNow } from '#server/runtime/steady-clock.ts';
import type { HeldJob } from './lookup-jobs.queries.ts';

/** The conditions under which the unfinished rows of an ended batch may continue. Any of them suffices. */
export type FollowUp = {
  /** When the first delayed row is due (`steadyNow`); null if no row is delayed. */
  dueAt: number | null;
  /** The source that delayed the row, shown as the reason why the ticket waits. */
  delayedBy: string | null;
  /** The sources that the other rows wait for. */
  sources: string[];
};

/** Ends jobs that this worker still holds, because none of their rows is left. */
export const endJobs = statement({
  // Locks in the order of ids, as the deletion of a ticket's jobs does, to avoid deadlocks.
  text: `DELETE FROM lookup_jobs WHERE id = ANY(ARRAY(
       SELECT j.id FROM lookup_jobs AS j
       JOIN jsonb_to_recordset(:jobs) AS h(id uuid, holds integer) ON h.id = j.id AND h.holds = j.holds
       WHERE j.holder IS NOT NULL ORDER BY j.id FOR UPDATE OF j))`,
  params: { jobs: jsonb<HeldJob[]>() },
});

const giveBack = statement({
  text: `UPDATE lookup_jobs AS j SET holder = NULL, queued_at = now(), delayed_by = r."delayedBy",
       due_at = CASE WHEN r."waitMs" > 0 THEN clock_timestamp() + r."waitMs" * interval '1 millisecond' END,
       sources = CASE WHEN r."waitMs" <= 0 THEN '{}' ELSE r.sources END
     FROM (SELECT given.* FROM lookup_jobs AS j
       JOIN jsonb_to_recordset(:rows) AS given(id uuid, holds integer, "waitMs" float8, "delayedBy" text, sources text[])
         ON given.id = j.id AND given.holds = j.holds
       WHERE j.holder IS NOT NULL ORDER BY j.id FOR UPDATE OF j) AS r
     WHERE j.id = r.id`,
  params: { rows: jsonb<object[]>() },
});

/** Gives jobs back that this worker still holds. Their waits count by the database's clock. */
export async function giveBackJobs(tx: Queryable, jobs: (HeldJob & FollowUp)[]): Promise<void> {
  if (jobs.length === 0) return;
  const now = steadyNow();
  const rows = jobs.map(({ id, holds, dueAt, delayedBy, sources }) => {
    const waitMs = dueAt === null ? null : dueAt - now;
    return { id, holds, waitMs, delayedBy, sources: [...sources].sort() };
  });
  await giveBack.run(tx, { rows });
}
