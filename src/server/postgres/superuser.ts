import { join } from 'node:path';
import pg from 'pg';
import { isTransientFailure, openClient } from '#server/db/connection/connection.ts';
import { StartError } from '#server/runtime/start-error.ts';
import { type Cluster, superuserFile } from './cluster.ts';
import { serverSettings } from './settings.ts';

/** The name of the product's role and database. Only the launcher uses the superuser. */
export const role = 'coverdesk';
const wrongPassword = '28P01';
const connectMs = 5000;

/** Connects as the superuser; null while the server does not accept connections. */
export async function connectAsSuperuser(cluster: Cluster, port: number): Promise<pg.Client | null> {
  try {
    return await connect(port, cluster.superuserPassword);
  } catch (error) {
    const failure = error as Error & { code?: string };
    if (failure.code === wrongPassword) return separatePasswords(cluster, port);
    // The server is starting or stopping, or does not answer in time.
    if (isTransientFailure(failure)) return null;
    throw error;
  }
}

/**
 * Gives the superuser its own password in a folder of an older version, where both roles had the same.
 * @throws StartError if the folder has neither password
 */
async function separatePasswords({ home, ...cluster }: Cluster, port: number): Promise<pg.Client> {
  const client = await connect(port, cluster.password).catch((error: Error & { code?: string }) => {
    if (error.code !== wrongPassword) throw error;
    throw new StartError(
      `The embedded database refuses the password of ${join(home, superuserFile)}: put the files password and ${superuserFile} of its folder back, or move that folder aside and restore a backup`,
    );
  });
  try {
    await client.query(`ALTER ROLE postgres PASSWORD ${pg.escapeLiteral(cluster.superuserPassword)}`);
    return client;
  } catch (error) {
    void client.end();
    throw error;
  }
}

function connect(port: number, password: string): Promise<pg.Client> {
  const options = { host: '127.0.0.1', port, user: 'postgres', database: 'postgres', password };
  return openClient({ ...options, connectionTimeoutMillis: connectMs });
}

/** Makes the product's role, which is no superuser, and its database. */
export async function createRoleAndDatabase(keeper: pg.Client, password: string): Promise<void> {
  const { rows } = await keeper.query<{ role: boolean; database: boolean }>(
    `SELECT EXISTS (SELECT FROM pg_roles WHERE rolname = $1) AS role,
            EXISTS (SELECT FROM pg_database WHERE datname = $1) AS database`,
    [role],
  );
  const rights = 'LOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE';
  // Also sets the password of a role from an older version.
  const change = rows[0]?.role ? 'ALTER' : 'CREATE';
  await keeper.query(`${change} ROLE ${role} ${rights} PASSWORD ${pg.escapeLiteral(password)}`);
  if (!rows[0]?.database) await keeper.query(`CREATE DATABASE ${role} OWNER ${role}`);
}

/** Returns whether a running server allows fewer connections than the settings. */
export async function allowsFewerConnections(
  keeper: pg.Client,
  settings: Record<string, string>,
): Promise<boolean> {
  const { rows } = await keeper.query<{ max_connections: string }>('SHOW max_connections');
  return Number(rows[0]?.max_connections) < Number(serverSettings(settings).max_connections);
}
