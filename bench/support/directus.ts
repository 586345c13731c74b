import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { findFreePort } from '../../src/server/runtime/free-port.ts';
import { waitFor } from '../../tests/support/wait.ts';

const token = 'a-token-for-one-measurement';

/** Directus on a database of the product. */
export type Directus = {
  url: string;
  headers: Record<string, string>;
  pid: number;
  stop(): Promise<void>;
};

/**
 * Starts Directus, which adds its own tables to the database and then serves those that it finds.
 * @param folder where `npm install directus` was run
 */
export async function startDirectus(folder: string, databaseUrl: string): Promise<Directus> {
  const port = await findFreePort('127.0.0.1');
  const command = join(folder, 'node_modules', '.bin', 'directus');
  const env = {
    ...process.env,
    HOST: '127.0.0.1',
    PORT: String(port),
    DB_CLIENT: 'pg',
    DB_CONNECTION_STRING: databaseUrl,
    SECRET: token,
    ADMIN_EMAIL: 'admin@example.com',
    ADMIN_PASSWORD: token,
    ADMIN_TOKEN: token,
    TELEMETRY: 'false',
    LOG_LEVEL: 'error',
    CACHE_ENABLED: 'false',
    // Otherwise it refuses calls on a busy machine.
    PRESSURE_LIMITER_ENABLED: 'false',
  };
  await promisify(execFile)(command, ['bootstrap'], { cwd: folder, env });
  const server = spawn(command, ['start'], { cwd: folder, env, stdio: ['ignore', 'ignore', 'inherit'] });
  const ended = once(server, 'exit');
  const url = `http://127.0.0.1:${port}`;
  const isReady = () =>
    fetch(`${url}/server/ping`).then(
      ({ ok }) => ok,
      () => false,
    );
  await waitFor('Directus to be ready', isReady, 120_000);
  return {
    url,
    headers: { authorization: `Bearer ${token}` },
    pid: server.pid ?? 0,
    async stop() {
      server.kill('SIGTERM');
      await ended;
    },
  };
}
