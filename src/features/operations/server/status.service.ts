import { countQueue } from '#features/lookups/server/lookups.service.ts';
import { type BackupRecord, findLastBackup, findLastGoodBackup } from '#server/backup/backups.queries.ts';
import type { ReadReplica } from '#server/db/replica/read-replica.ts';
import { findEmbeddedUrl } from '#server/postgres/find-embedded.ts';
import { listServingProcesses } from '#server/processes/processes.queries.ts';
import type { Context } from '#server/runtime/context.ts';
import { productVersion } from '#server/runtime/version.ts';
import type { Status } from '../operations.contract.ts';
import { readDatabase } from './operations.queries.ts';

const overdueMs = 2 * 24 * 60 * 60 * 1000;

/** Reads the processes, the queue and the backups of the database. */
export async function readStatus({ db, readRouter, config, databaseUrl, now }: Context): Promise<Status> {
  const [processes, queue, { schema, ...database }, last, good, embeddedUrl] = await Promise.all([
    listServingProcesses(db),
    countQueue(db),
    readDatabase(db),
    findLastBackup(db),
    findLastGoodBackup(db),
    findEmbeddedUrl(config.DATA_DIR),
  ]);
  const isScheduled = config.BACKUP_DIR !== undefined;
  return {
    version: productVersion,
    schema,
    processes: processes.map(({ id, kind, host, version, started_at, last_seen, in_flight }) => ({
      id,
      kind,
      host,
      version,
      started_at: started_at.toISOString(),
      last_seen: last_seen.toISOString(),
      in_flight,
    })),
    queue,
    database: { ...database, embedded: embeddedUrl === databaseUrl },
    replica: describeReplica(readRouter.replica),
    backup: last ? describeBackup(last) : null,
    backup_scheduled: isScheduled,
    backup_overdue: (last !== undefined && last.error !== null) || (isScheduled && isOld(good, now())),
  };
}

function describeReplica(replica: ReadReplica | undefined): Status['replica'] {
  if (!replica) return null;
  const { state, lagBytes } = replica.status();
  return { state, lag_bytes: lagBytes };
}

function describeBackup({ ended_at, size_bytes, error }: BackupRecord) {
  return { last_at: ended_at.toISOString(), size_bytes, ok: error === null, error };
}

function isOld(backup: BackupRecord | undefined, now: Date): boolean {
  return !backup || now.getTime() - backup.ended_at.getTime() > overdueMs;
}
