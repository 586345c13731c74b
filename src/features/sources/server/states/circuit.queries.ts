import { bool, float8, int4, nullable, type RowOf, text, textOf, uuid } from '#server/db/column-types.ts';
import { notify } from '#server/db/connection/notify.queries.ts';
import { type Db, inTransaction, type Queryable } from '#server/db/db.ts';
import { statement } from '#server/db/statement.ts';
import { publishSource } from './publish-source.ts';
import { isProbeDue, type SourceState, sourcesChannel } from './source-states.queries.ts';

const open = statement({
  text: `UPDATE sources SET state = :cause, probe_at = now() + :waitMs * interval '1 millisecond', probe_step = 0,
       probe_worker = NULL, last_error = :error, last_error_at = now()
     WHERE name = :name AND state = 'up'`,
  params: { name: text, cause: text, error: text, waitMs: float8 },
});

/**
 * Opens the circuit of a source that was up, with its first probe due in `waitMs`, notifies all workers, and publishes
 * that it is down.
 */
export async function openCircuit(
  db: Db,
  name: string,
  { cause, error, waitMs }: { cause: Exclude<SourceState['state'], 'up'>; error: string; waitMs: number },
): Promise<void> {
  await inTransaction(db, async (tx) => {
    const opened = await open.run(tx, { name, cause, error, waitMs });
    if (opened === 0) return;
    await notify(tx, sourcesChannel, name);
    await publishSource(tx, { type: 'source.down', data: { source: name, cause } });
  });
}

/** Takes the lease of a due probe. Only one worker gets it, and has it until it returns it or counts as gone. */
export const leaseProbe = statement({
  // A worker may take its own lease again, because a failed write may have left it behind.
  text: `UPDATE sources SET probe_worker = :worker
     WHERE name = :name AND ${isProbeDue} AND (probe_worker IS NULL OR probe_worker = :worker
       OR NOT EXISTS (SELECT FROM workers WHERE id = probe_worker AND gone_at IS NULL))
     RETURNING state, probe_step`,
  params: { name: text, worker: uuid },
  row: { state: textOf<'down' | 'auth' | 'quota'>(), probe_step: int4 },
});

/** The state of the source's circuit, and how often it has refused the account before. */
export type ProbeLease = RowOf<typeof leaseProbe.row>;

/**
 * Gives the lease back and keeps the circuit open, unless another worker has taken the lease. The next probe is due in
 * `waitMs`. A `state` or `error` of null stays as it is.
 */
export const postponeProbe = statement({
  text: `UPDATE sources SET state = coalesce(:state, state), probe_step = :step,
       probe_at = now() + :waitMs * interval '1 millisecond',
       probe_worker = NULL, last_error = coalesce(:error, last_error),
       last_error_at = CASE WHEN :error::text IS NULL THEN last_error_at ELSE now() END
     WHERE name = :name AND probe_worker = :worker`,
  params: {
    name: text,
    state: nullable(textOf<'down' | 'auth' | 'quota'>()),
    step: int4,
    waitMs: float8,
    error: nullable(text),
    worker: uuid,
  },
});

const close = statement({
  text: `UPDATE sources AS s SET state = 'up', probe_at = NULL, probe_step = 0, probe_worker = NULL,
       paused = paused AND :by <> 'hand'
     FROM (SELECT name, state FROM sources WHERE name = :name FOR NO KEY UPDATE) AS before
     WHERE s.name = before.name AND CASE :by::text
       WHEN 'probe' THEN s.state <> 'up' AND probe_worker = :worker::uuid
       WHEN 'proxies' THEN s.state = 'proxies'
       ELSE true END
     RETURNING before.state <> 'up' AS was_open`,
  params: { name: text, by: text, worker: nullable(uuid) },
  row: { was_open: bool },
});

/** Why a circuit is closed: a person, which also ends a pause; a worker's probe; or available proxies. */
export type CloseCause = { by: 'hand' | 'proxies' } | { by: 'probe'; worker: string };

/**
 * Closes a source's circuit, notifies all workers, and publishes that an open one is up. A circuit that was opened again
 * since the probe was leased, or for another reason than missing proxies, stays open.
 * @returns whether it was closed
 */
export async function closeCircuit(tx: Queryable, name: string, cause: CloseCause): Promise<boolean> {
  const worker = cause.by === 'probe' ? cause.worker : null;
  const closed = await close.first(tx, { name, by: cause.by, worker });
  if (!closed) return false;
  await notify(tx, sourcesChannel, name);
  if (closed.was_open) await publishSource(tx, { type: 'source.up', data: { source: name } });
  return true;
}
