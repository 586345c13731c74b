import { countQueue } from '#features/lookups/server/lookups.service.ts';
import { type BackupRecord, findLastBackup, findLastGoodBackup } from '#server/backup/backups.queries.ts';
import type { ReadReplica } from '#server/db/replica/read-replica.ts';
import { findEmbeddedUrl } from '#server/postgres/find-embedded.ts';
import { listServingProcesses, type ServingProcess } from '#server/processes/processes.queries.ts';
import type { Context } from '#server/runtime/context.ts';
import { productVersion } from '#server/runtime/version.ts';
import { dayIn } from '#shared/calendar-day.ts';
import type { Status } from '../operations.contract.ts';
import { findTicketNumbers, listEarlierSizes, readDatabase } from './operations.queries.ts';

const overdueMs = 2 * 24 * 60 * 60 * 1000;

export async function readStatus({ db, readRouter, config, databaseUrl, now }: Context): Promise<Status> {
  const [processes, queue, { schema, ...database }, earlier, last, good, embeddedUrl] = await Promise.all([
    listServingProcesses(db),
    countQueue.one(db),
    readDatabase.one(db),
    listEarlierSizes.all(db, { today: dayIn(config.APP_TIMEZONE, now()) }),
    findLastBackup.first(db),
    findLastGoodBackup.first(db),
    findEmbeddedUrl(config.DATA_DIR),
  ]);
  const numbers = await findTicketNumbers(
    db,
    processes.flatMap(({ work }) => work.tickets),
  );
  const isScheduled = config.BACKUP_DIR !== undefined;
  return {
    version: productVersion,
    schema,
    processes: processes.map((one) => describeProcess(one, numbers)),
    queue,
    database: { ...database, embedded: embeddedUrl === databaseUrl, earlier },
    replica: describeReplica(readRouter.replica),
    backup: last ? describeBackup(last) : null,
    backup_scheduled: isScheduled,
    backup_overdue: (last !== undefined && last.error !== null) || (isScheduled && isOld(good, now())),
  };
}

function describeProcess(
  { id, kind, host, version, started_at, last_seen, in_flight, work }: ServingProcess,
  ticketNumbers: Map<number, number>,
): Status['processes'][number] {
  return {
    id,
    kind,
    host,
    version,
    started_at: started_at.toISOString(),
    last_seen: last_seen.toISOString(),
    in_flight,
    // A ticket may have been deleted since the heartbeat.
    tickets: work.tickets.flatMap((ticketId) => ticketNumbers.get(ticketId) ?? []).map(String),
    calls: Object.entries(work.calls).map(([source, calls]) => ({ source, calls })),
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
