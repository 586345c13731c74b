import { bool, int4 } from '#server/db/column-types.ts';
import { notify } from '#server/db/connection/notify.queries.ts';
import { type Db, inTransaction, type Queryable } from '#server/db/db.ts';
import { statement } from '#server/db/statement.ts';
import { type DownCause, publishSourceDown, publishSourceUp } from './publish-source.ts';
import { sourcesChannel } from './source-states.queries.ts';

const open = statement({
  text: `UPDATE sources SET state = $2, probe_at = now() + $4 * interval '1 millisecond', probe_step = 0,
       probe_worker = NULL, probe_until = NULL, last_error = $3, last_error_at = now()
     WHERE name = $1 AND state = 'up'`,
});

/**
 * Opens the circuit of a source that was up, with its first probe due in `waitMs`, notifies all workers, and publishes
 * that it is down.
 */
export async function openCircuit(
  db: Db,
  name: string,
  { cause, error, waitMs }: { cause: DownCause; error: string; waitMs: number },
): Promise<void> {
  await inTransaction(db, async (tx) => {
    const opened = await open.run(tx, [name, cause, error, waitMs]);
    if (opened === 0) return;
    await notify(tx, sourcesChannel, name);
    await publishSourceDown(tx, name, cause);
  });
}

/** Takes the lease of a due probe. Only one worker gets it. */
export const leaseProbe = statement({
  text: `UPDATE sources SET probe_worker = $2, probe_until = now() + interval '30 seconds'
     WHERE name = $1 AND state IN ('down', 'auth', 'quota') AND NOT paused AND probe_at <= now()
       AND (probe_until IS NULL OR probe_until < now())
     RETURNING probe_step`,
  row: { probe_step: int4 },
}).firstWith<[name: string, worker: string]>();

/** Extends the lease while the probe is running. */
export const renewProbe = statement({
  text: "UPDATE sources SET probe_until = now() + interval '30 seconds' WHERE name = $1 AND probe_worker = $2",
}).runWith<[name: string, worker: string]>();

const postpone = statement({
  text: `UPDATE sources SET state = coalesce($2, state), probe_step = $3, probe_at = now() + $4 * interval '1 millisecond',
       probe_worker = NULL, probe_until = NULL, last_error = coalesce($5, last_error),
       last_error_at = CASE WHEN $5::text IS NULL THEN last_error_at ELSE now() END
     WHERE name = $1 AND probe_worker = $6`,
});

/**
 * Gives the lease back and keeps the circuit open, unless another worker has taken the lease. The next probe is due in
 * `waitMs`.
 */
export async function postponeProbe(
  db: Queryable,
  name: string,
  worker: string,
  next: { state?: 'down' | 'auth' | 'quota'; step: number; error?: string; waitMs: number },
): Promise<void> {
  const { state, step, waitMs, error } = next;
  await postpone.run(db, [name, state ?? null, step, waitMs, error ?? null, worker]);
}

const close = statement({
  text: `UPDATE sources AS s SET state = 'up', probe_at = NULL, probe_step = 0, probe_worker = NULL, probe_until = NULL,
       paused = paused AND $2 <> 'hand'
     FROM (SELECT name, state FROM sources WHERE name = $1 FOR NO KEY UPDATE) AS before
     WHERE s.name = before.name AND CASE $2::text
       WHEN 'probe' THEN s.state <> 'up' AND probe_worker = $3::uuid
       WHEN 'proxies' THEN s.state = 'proxies'
       ELSE true END
     RETURNING before.state <> 'up' AS was_open`,
  row: { was_open: bool },
});

/** The cause of closing a circuit: a person, which also ends a pause; a worker's probe; or available proxies. */
export type Closing = { by: 'hand' | 'proxies' } | { by: 'probe'; worker: string };

/**
 * Closes a source's circuit, notifies all workers, and publishes that an open one is up. A circuit that was opened again
 * since the probe was leased, or for another reason than missing proxies, stays open.
 * @returns whether it was closed
 */
export async function closeCircuit(tx: Queryable, name: string, closing: Closing): Promise<boolean> {
  const worker = closing.by === 'probe' ? closing.worker : null;
  const closed = await close.first(tx, [name, closing.by, worker]);
  if (!closed) return false;
  await notify(tx, sourcesChannel, name);
  if (closed.was_open) await publishSourceUp(tx, name);
  return true;
}
