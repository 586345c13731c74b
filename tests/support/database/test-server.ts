import { type ChildProcess, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, readFile, statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import pg from 'pg';

/** The variable with the server for the tests. The check harness sets it. */
export const serverVariable = 'COVERDESK_TEST_SERVER';

/** Server settings without durability. */
export const forgetfulSettings = {
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  wal_level: 'minimal',
  max_wal_senders: '0',
  max_connections: '200',
  shared_buffers: '128MB',
  // Its workers may block the dropping of a database, and only a superuser could end them.
  autovacuum: 'off',
  // Each connection would otherwise hash its password 4096 times.
  scram_iterations: '1',
};

/**
 * Returns the URL of a database on the server that all test files of a run share. Without the harness, the first test
 * file starts the server, and it ends by itself when it is no longer used.
 */
export async function findTestServer(): Promise<string> {
  return (
    process.env[serverVariable] ??
    (await untilServing(await sharedHome(), (home) => startKeeper(home).unref()))
  );
}

/** Starts a server for one run of the harness. It ends by itself if `stop` is never called. */
export async function startTestServer(): Promise<{ url: string; stop(): Promise<void> }> {
  const home = await mkdtemp(join(await findQuickFolder(), 'coverdesk-tests-'));
  const keeper = startKeeper(home);
  const ended = once(keeper, 'exit');
  const url = await untilServing(home, () => undefined);
  // While this connection is open, the server counts as in use until the next test file begins.
  const held = new pg.Client({ connectionString: url });
  held.on('error', () => undefined);
  await held.connect();
  return {
    url,
    async stop() {
      keeper.kill('SIGTERM');
      await ended;
      await held.end().catch(() => undefined);
    },
  };
}

async function untilServing(home: string, start: (home: string) => void): Promise<string> {
  const deadline = Date.now() + 300_000;
  for (let round = 0; Date.now() < deadline; round++) {
    const url = await readFile(join(home, 'url'), 'utf8').catch(() => '');
    if (url && (await answers(url))) return url;
    if (round % 50 === 0) start(home);
    await delay(100);
  }
  throw new Error(
    `No database for the tests within five minutes; see ${join(home, 'postgres', 'server.log')}`,
  );
}

function startKeeper(home: string): ChildProcess {
  const keeper = fileURLToPath(new URL('./test-server-keeper.ts', import.meta.url));
  // Without the test runner's variables, which would make the keeper report as a test.
  const { NODE_TEST_CONTEXT: _, NODE_OPTIONS: __, ...env } = process.env;
  return spawn(process.execPath, [keeper, home], { env, cwd: '/', detached: true, stdio: 'ignore' });
}

/** One folder per checkout and account, so that two checkouts never share a schema. */
async function sharedHome(): Promise<string> {
  const checkout = createHash('sha256')
    .update(import.meta.url)
    .digest('hex')
    .slice(0, 12);
  return join(await findQuickFolder(), `coverdesk-tests-${process.getuid?.() ?? 0}-${checkout}`);
}

/** Returns a folder in memory if it has room for the databases of a run: they are made there three times as fast. */
async function findQuickFolder(): Promise<string> {
  const { bavail, bsize } = await statfs('/dev/shm').catch(() => ({ bavail: 0, bsize: 0 }));
  return bavail * bsize > 4 * 1024 ** 3 ? '/dev/shm' : tmpdir();
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
