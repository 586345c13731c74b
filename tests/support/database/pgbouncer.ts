import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { findFreePort } from '#server/runtime/free-port.ts';
import { waitFor } from '#tests/support/wait.ts';

/** Fewer than the product's connections, so that each transaction may have another server process. */
const serverConnections = 6;

/** A running PgBouncer in transaction mode. */
export type PgBouncer = {
  /** The connection string of a database, with the timeouts of docs/operating.md. */
  url: string;
  /** The same database, without timeouts. */
  urlWithoutTimeouts: string;
  stop(): Promise<void>;
};

/** Starts PgBouncer in front of a database. @returns undefined if it is not installed */
export async function startPgBouncer(databaseUrl: string): Promise<PgBouncer | undefined> {
  const { hostname, port, username, password, pathname } = new URL(databaseUrl);
  const folder = await mkdtemp(join(tmpdir(), 'coverdesk-pgbouncer-'));
  await chmod(folder, 0o755);
  const listenPort = await findFreePort('127.0.0.1');
  const entry = `host=${hostname} port=${port} dbname=${pathname.slice(1)} user=${username} password='${password}'`;
  const timeouts =
    "connect_query='SET statement_timeout = 60000; SET lock_timeout = 15000; SET idle_in_transaction_session_timeout = 10000'";
  await writeFile(
    join(folder, 'pgbouncer.ini'),
    `[databases]
pooled = ${entry} ${timeouts}
without_timeouts = ${entry}
[pgbouncer]
pool_mode = transaction
default_pool_size = ${serverConnections}
listen_addr = 127.0.0.1
listen_port = ${listenPort}
unix_socket_dir =
auth_type = any
max_client_conn = 200
`,
  );
  // PgBouncer refuses to run as root.
  const asOther = process.getuid?.() === 0 ? ['-u', 'nobody'] : [];
  const child = spawn('pgbouncer', ['-q', ...asOther, join(folder, 'pgbouncer.ini')], {
    stdio: 'ignore',
    env: { PATH: `${process.env.PATH}:/usr/sbin` },
  });
  const ended = once(child, 'exit').catch(() => undefined);
  const started = await once(child, 'spawn').catch(() => undefined);
  const stop = async () => {
    child.kill('SIGTERM');
    await ended;
    await rm(folder, { recursive: true });
  };
  if (!started) {
    await rm(folder, { recursive: true });
    return undefined;
  }
  const urlOf = (name: string) => `postgres://anyone@127.0.0.1:${listenPort}/${name}`;
  await waitFor('PgBouncer', () => answers(urlOf('pooled')));
  return { url: urlOf('pooled'), urlWithoutTimeouts: urlOf('without_timeouts'), stop };
}

async function answers(url: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => undefined);
  try {
    await client.connect();
    await client.end();
    return true;
  } catch {
    return false;
  }
}
