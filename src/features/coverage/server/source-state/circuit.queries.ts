import type { Queryable } from '#server/db.ts';
import { sourcesChannel } from './source-states.queries.ts';

/** The sources that may be asked, locked against a change of that until the transaction ends. */
export async function readOpenSources(tx: Queryable): Promise<Set<string>> {
  const { rows } = await tx.query<{ name: string; open: boolean }>(
    "SELECT name, state = 'up' AND NOT paused AS open FROM sources ORDER BY name FOR SHARE",
  );
  return new Set(rows.filter(({ open }) => open).map(({ name }) => name));
}

/** Marks a source that was up as in trouble, with its first probe due in `waitMs`. */
export async function reportTrouble(
  db: Queryable,
  name: string,
  trouble: 'down' | 'auth' | 'quota' | 'proxies',
  error: string,
  waitMs: number,
): Promise<void> {
  await db.query(
    `WITH changed AS (
       UPDATE sources SET state = $2, probe_at = now() + $4 * interval '1 millisecond', probe_step = 0,
         probe_worker = NULL, probe_until = NULL, last_error = $3, last_error_at = now()
       WHERE name = $1 AND state = 'up' RETURNING name)
     SELECT pg_notify($5, name) FROM changed`,
    [name, trouble, error, waitMs, sourcesChannel],
  );
}

/** Takes the right to send the probe that is due now; one worker gets it. */
export async function leaseProbe(
  db: Queryable,
  name: string,
  worker: string,
): Promise<{ probe_step: number } | undefined> {
  const { rows } = await db.query<{ probe_step: number }>(
    `UPDATE sources SET probe_worker = $2, probe_until = now() + interval '30 seconds'
     WHERE name = $1 AND state IN ('down', 'auth', 'quota') AND NOT paused AND probe_at <= now()
       AND (probe_until IS NULL OR probe_until < now())
     RETURNING probe_step`,
    [name, worker],
  );
  return rows[0];
}

/** Keeps the right while the probe is under way. */
export async function renewProbe(db: Queryable, name: string, worker: string): Promise<void> {
  await db.query(
    "UPDATE sources SET probe_until = now() + interval '30 seconds' WHERE name = $1 AND probe_worker = $2",
    [name, worker],
  );
}

/** A probe that changed nothing, or found no row to ask about: the next is due in `waitMs`. */
export async function postponeProbe(
  db: Queryable,
  name: string,
  next: { state?: 'down' | 'auth' | 'quota'; step: number; error?: string; waitMs: number },
): Promise<void> {
  await db.query(
    `UPDATE sources SET state = coalesce($2, state), probe_step = $3, probe_at = now() + $4 * interval '1 millisecond',
       probe_worker = NULL, probe_until = NULL, last_error = coalesce($5, last_error),
       last_error_at = CASE WHEN $5::text IS NULL THEN last_error_at ELSE now() END
     WHERE name = $1 AND state <> 'up'`,
    [name, next.state ?? null, next.step, next.waitMs, next.error ?? null],
  );
}

/** Opens a source again, and notifies every worker. The transaction that does so also releases its jobs. */
export async function reopenSource(tx: Queryable, name: string, unpause: boolean): Promise<void> {
  await tx.query(
    `UPDATE sources SET state = 'up', probe_at = NULL, probe_step = 0, probe_worker = NULL, probe_until = NULL,
       paused = paused AND NOT $2
     WHERE name = $1`,
    [name, unpause],
  );
  await tx.query('SELECT pg_notify($1, $2)', [sourcesChannel, name]);
}
