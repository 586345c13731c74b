import { openClient } from '../connection/connection.ts';
import { connectionOptions, deadlines } from '../connection/open-db.ts';
import { type DatabaseServer, identifyServer } from './replica.queries.ts';

/**
 * The bytes of WAL that a replica has not replayed, or why it cannot be read. `isMistake`: the configuration is wrong,
 * because a failover would not explain it.
 */
export type ReplicaExamination = { lagBytes: number } | { reason: string; isMistake: boolean };

/** Compares a replica with its primary, whose position was read before. */
export function compareReplica(primary: DatabaseServer, replica: DatabaseServer): ReplicaExamination {
  if (replica.system !== primary.system)
    return { reason: 'it belongs to another PostgreSQL cluster', isMistake: true };
  if (replica.database !== primary.database)
    return { reason: `its database is ${replica.database}, not ${primary.database}`, isMistake: true };
  if (!replica.is_replica) return { reason: 'it is a primary itself, perhaps promoted', isMistake: false };
  return { lagBytes: Math.max(0, primary.position - replica.position) };
}

/** Examines a replica once, on connections of its own. @throws Error of the database, within a few seconds */
export async function examineReplica(databaseUrl: string, readUrl: string): Promise<ReplicaExamination> {
  const primary = await identifyAt(databaseUrl);
  return compareReplica(primary, await identifyAt(readUrl));
}

async function identifyAt(url: string): Promise<DatabaseServer> {
  const client = await openClient(connectionOptions(url, deadlines.readiness));
  try {
    return await identifyServer.one(client);
  } finally {
    await client.end().catch(() => undefined);
  }
}
