import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';
import { Loop } from '#server/concurrency/loop.ts';
import { type Db, inTransaction, type Queryable } from '#server/db/db.ts';
import { readMigrations, requireKnownSchema } from '#server/db/migrations/migrate.ts';
import type { Log } from '#server/runtime/log.ts';
import { StartError } from '#server/runtime/start-error.ts';
import { productVersion } from '#server/runtime/version.ts';
import {
  holdProcess,
  insertProcess,
  leaseMs,
  listProcesses,
  lockProcesses,
  type RegisteredProcess,
  removeProcess,
  renewProcess,
  type Work,
} from './processes.queries.ts';

const heartbeatMs = 2000; // five within a lease
const lookMs = 250;

export const noWork: Work = { inFlight: 0, tickets: [], calls: {} };

/** The error of a process whose settings do not fit the database. The message is one line that names the variables. */
export class SettingsError extends StartError {}

/** A process and the settings that all processes on a database share. */
export type Settings = Pick<RegisteredProcess, 'kind' | 'sources' | 'fingerprints'>;

type SharedSettings = Pick<Settings, 'sources' | 'fingerprints'>;

export type ProcessParts = {
  db: Db;
  log: Log;
  settings: Settings;
  /** Describes what this process does; nothing by default. */
  describeWork?: (() => Work) | undefined;
  /** Checks, in the transaction that registers this process, whether it may run. @throws SettingsError */
  admit?(tx: Queryable): Promise<void>;
  /**
   * Ends this process, because a newer version has migrated the database (MigrationError), or because it was declared
   * dead and must not register again (SettingsError).
   */
  abort(reason: Error): void;
};

export type Registration = {
  /**
   * Keeps this process registered until the transaction ends. A suspended process may have been declared dead, and others
   * with other settings may have started since. Call it before work that other settings would do otherwise.
   * @throws Error if this process is not registered at the moment
   */
  hold(tx: Queryable): Promise<void>;
  end(): Promise<void>;
};

/**
 * Registers this process in the database until `end`. Refuses it while a process with other settings is alive, which it
 * is until its lease ends after its last heartbeat.
 * @throws SettingsError if the settings do not fit; MigrationError if a newer version has migrated the database
 */
export async function registerProcess(parts: ProcessParts): Promise<Registration> {
  const { db, log, settings, abort } = parts;
  const codeNumbers = (await readMigrations()).map(({ number }) => number);
  await requireKnownSchema(db, codeNumbers);
  let id = await registerPatiently(parts);
  let lostAt: number | undefined;
  const heartbeat = new Loop(
    async () => {
      await requireKnownSchema(db, codeNumbers);
      const isRegistered = await renewProcess(db, id, parts.describeWork?.() ?? noWork);
      if (lostAt !== undefined) {
        const seconds = Math.round((performance.now() - lostAt) / 1000);
        lostAt = undefined;
        log.info({ seconds }, 'the database is back');
      }
      if (isRegistered) return;
      const registered = await tryToRegister(parts);
      if (typeof registered === 'string') id = registered;
      else abort(new SettingsError(describeDifference(settings, registered)));
    },
    {
      pauseMs: () => heartbeatMs,
      onFailure: (error) => {
        if (error instanceof StartError) return abort(error);
        lostAt ??= performance.now();
        log.warn({ err: error }, 'the heartbeat of this process failed');
      },
    },
  );
  heartbeat.start();
  return {
    async hold(tx) {
      if (await holdProcess(tx, id)) return;
      heartbeat.wake();
      throw new Error('this process was declared dead and has to register again first');
    },
    async end() {
      await heartbeat.stop();
      // The database may be stopped at the same time. The row counts as dead after the lease.
      await removeProcess
        .run(db, { id })
        .catch((err) => log.warn({ err }, 'this process could not be removed from the list of processes'));
    },
  };
}

/** Registers a process. Waits until a process with other settings sends a heartbeat, which refuses this one, or is dead. */
async function registerPatiently(parts: ProcessParts): Promise<string> {
  const { log, settings } = parts;
  const lastSeen = new Map<string, Date>();
  for (;;) {
    const registered = await tryToRegister(parts);
    if (typeof registered === 'string') return registered;
    const { id, last_seen } = registered;
    const before = lastSeen.get(id);
    const difference = describeDifference(settings, registered);
    if (before && last_seen > before) throw new SettingsError(difference);
    if (!before) {
      log.info(`waiting up to ${leaseMs / 1000} s for a heartbeat of another process: ${difference}`);
    }
    lastSeen.set(id, last_seen);
    await delay(lookMs);
  }
}

/** Returns the id of the new registration, or a running process with other settings. */
function tryToRegister({ db, settings, admit }: ProcessParts): Promise<string | RegisteredProcess> {
  return inTransaction(db, async (tx) => {
    await lockProcesses(tx);
    const other = await findDifferentProcess(tx, settings);
    if (other) return other;
    await admit?.(tx);
    const id = randomUUID();
    await insertProcess.run(tx, {
      id,
      host: hostname(),
      pid: process.pid,
      version: productVersion,
      ...settings,
    });
    return id;
  });
}

async function findDifferentProcess(
  db: Queryable,
  settings: SharedSettings,
): Promise<RegisteredProcess | undefined> {
  return (await listProcesses.all(db)).find((running) => findDifferences(settings, running).length > 0);
}

/** Returns the variables that both processes have with different values. A worker may have no JWT_SECRET. */
function findDifferences(mine: SharedSettings, other: SharedSettings): string[] {
  return Object.keys(mine.fingerprints).filter((variable) => {
    const fingerprint = other.fingerprints[variable];
    return fingerprint !== undefined && fingerprint !== mine.fingerprints[variable];
  });
}

/** Returns one line for the operator: the variables that differ, and the other process. */
function describeDifference(mine: SharedSettings, other: RegisteredProcess): string {
  const differences = findDifferences(mine, other);
  const names = differences.map((variable) =>
    variable === 'SOURCES_FILE' ? 'SOURCES_FILE (or a variable that it names)' : variable,
  );
  const sources = `Sources there: ${other.sources.join(', ')}; here: ${mine.sources.join(', ')}.`;
  return (
    `${names.join(' and ')} must be the same in all processes on one database, and not differ from the running ` +
    `${other.kind} on ${other.host} (process ${other.pid}).${differences.includes('SOURCES_FILE') ? ` ${sources}` : ''}`
  );
}
