import {
  array,
  int4,
  jsonb,
  listColumns,
  type RowOf,
  text,
  textOf,
  timestamptz,
  uuid,
} from '#server/db/column-types.ts';
import type { Queryable } from '#server/db/db.ts';
import { statement } from '#server/db/statement.ts';

/** The work of a process: its requests or calls in flight; the ids of a worker's tickets, and its calls by source. */
export type Work = { inFlight: number; tickets: number[]; calls: Record<string, number> };

/** How long a process counts as alive after its last heartbeat. */
export const leaseMs = 10_000;
const registrationLock = 0x436f7670;

const lock = statement({ text: `SELECT pg_advisory_xact_lock(${registrationLock})` });
// A time in the future is from before the database's clock was set back. A dead process would count as alive until then.
const shortenLeases = statement({
  text: 'UPDATE processes SET last_seen = clock_timestamp() WHERE last_seen > clock_timestamp()',
});
const forget = statement({
  text: `DELETE FROM processes WHERE last_seen < now() - interval '${leaseMs} milliseconds'`,
});

/** Deletes dead processes, and prevents registrations until the transaction ends. */
export async function lockProcesses(tx: Queryable): Promise<void> {
  await lock.run(tx);
  await shortenLeases.run(tx);
  await forget.run(tx);
}

const newProcess = {
  id: uuid,
  kind: textOf<'api' | 'worker' | 'rotation'>(),
  host: text,
  pid: int4,
  sources: array(text),
  fingerprints: jsonb<Record<string, string>>(),
  version: text,
};
const registeredProcess = {
  ...newProcess,
  started_at: timestamptz,
  last_seen: timestamptz,
  in_flight: int4,
  work: jsonb<Omit<Work, 'inFlight'>>(),
};

export type RegisteredProcess = RowOf<typeof registeredProcess>;

/** Lists live processes. A heartbeat in the future is from before the database's clock was set back. */
export const listProcesses = statement({
  text: `SELECT ${listColumns(registeredProcess)} FROM processes
     WHERE last_seen >= now() - interval '${leaseMs} milliseconds' AND last_seen <= clock_timestamp() + interval '1 second'
     ORDER BY kind, host, started_at, pid`,
  row: registeredProcess,
});

export type ServingProcess = RegisteredProcess & { kind: 'api' | 'worker' };

/** Lists live processes that serve the product, which a rotation does not. */
export async function listServingProcesses(db: Queryable): Promise<ServingProcess[]> {
  const isServing = (one: RegisteredProcess): one is ServingProcess => one.kind !== 'rotation';
  return (await listProcesses.all(db)).filter(isServing);
}

export const insertProcess = statement({
  text: `INSERT INTO processes (id, kind, host, pid, sources, fingerprints, version)
     VALUES (:id, :kind, :host, :pid, :sources, :fingerprints, :version)`,
  params: newProcess,
});

const renew = statement({
  name: 'renew-process',
  text: 'UPDATE processes SET last_seen = now(), in_flight = :inFlight, work = :work WHERE id = :id',
  params: { id: uuid, inFlight: int4, work: registeredProcess.work },
});

/**
 * Sends a process's heartbeat.
 * @returns false if another process has declared it dead and deleted its row
 */
export async function renewProcess(db: Queryable, id: string, { inFlight, ...work }: Work): Promise<boolean> {
  return (await renew.run(db, { id, inFlight, work })) > 0;
}

const hold = statement({
  name: 'hold-process',
  // The weakest lock that delays a deletion. It does not block the heartbeat.
  text: 'SELECT id FROM processes WHERE id = :id FOR KEY SHARE',
  params: { id: uuid },
  row: { id: uuid },
});

/**
 * Keeps a process registered until the transaction ends.
 * @returns false if another process has declared it dead and deleted its row
 */
export async function holdProcess(tx: Queryable, id: string): Promise<boolean> {
  return (await hold.first(tx, { id })) !== undefined;
}

export const removeProcess = statement({
  text: 'DELETE FROM processes WHERE id = :id',
  params: { id: uuid },
});
