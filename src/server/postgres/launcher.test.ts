import assert from 'node:assert/strict';
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import {
  chmod,
  mkdir,
  mkdtemp,
  open,
  readdir,
  readFile,
  rename,
  rm,
  rmdir,
  stat,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, afterEach, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { pino } from 'pino';
import { createLog } from '#server/runtime/log.ts';
import { StartError } from '#server/runtime/start-error.ts';
import { waitFor } from '#tests/support/wait.ts';
import { DataDirVersionError } from './cluster.ts';
import { findEmbeddedUrl } from './find-embedded.ts';
import { DataDirInUseError } from './folder-lock.ts';
import { type EmbeddedPostgres, startEmbeddedPostgres } from './launcher.ts';
import { rotateLog } from './rotate-log.ts';

const log = createLog('test', 'silent');
const holder = fileURLToPath(new URL('../../../tests/support/database/postgres-holder.ts', import.meta.url));
let scratch: string;
let dataDir: string;
const children: ChildProcess[] = [];

before(async () => {
  scratch = await mkdtemp(join(tmpdir(), 'coverdesk-launcher-'));
  dataDir = join(scratch, 'data');
});
afterEach(async () => {
  for (const child of children.splice(0)) await kill(child);
});
after(async () => {
  const server = await startEmbeddedPostgres({ dataDir, log });
  await server.stop();
  await rm(scratch, { recursive: true });
});

test('a database starts in a folder that only its owner may enter, and only the owner can read the password', async () => {
  // mkdtemp creates it with mode 0700, so as root, PostgreSQL's account needs a capability to enter it.
  assert.equal((await stat(scratch)).mode & 0o777, 0o700);
  const server = await startEmbeddedPostgres({ dataDir, log });
  await query(server.url, 'CREATE TABLE kept (value integer); INSERT INTO kept VALUES (1)');
  assert.equal((await stat(join(dataDir, 'postgres', 'password'))).mode & 0o777, 0o600);
  const shown = await query(
    server.url,
    "SELECT current_setting('server_encoding') AS e, current_setting('is_superuser') AS s",
  );
  assert.deepEqual(shown, [{ e: 'UTF8', s: 'off' }]);
  await server.stop();
  await assert.rejects(query(server.url, 'SELECT 1'), { code: 'ECONNREFUSED' });
});

test('a database starts in a folder that everybody may enter', async () => {
  await chmod(scratch, 0o711);
  const server = await startEmbeddedPostgres({ dataDir, log });
  assert.deepEqual(await query(server.url, 'SELECT value FROM kept'), [{ value: 1 }]);
  await server.stop();
});

test('a lock or log that cannot be written is told in a sentence', async () => {
  const home = join(dataDir, 'postgres');
  for (const [name, message] of [
    ['lock', /^DATA_DIR cannot be locked by \S+\/postgres\/lock: /],
    ['server.log', /^The embedded PostgreSQL does not start: /],
  ] as const) {
    const [file, kept] = [join(home, name), join(home, `${name}.kept`)];
    await rename(file, kept);
    await mkdir(file);
    try {
      await assert.rejects(startEmbeddedPostgres({ dataDir, log }), (error: Error) => {
        assert.ok(error instanceof StartError, error.stack);
        assert.match(error.message, message);
        return true;
      });
    } finally {
      await rmdir(file);
      await rename(kept, file);
    }
  }
});

test('the server of a killed product is taken over with the same address', async () => {
  const { child, url } = await hold();
  await kill(child);
  assert.deepEqual(await query(url, 'SELECT value FROM kept'), [{ value: 1 }]);
  const server = await startEmbeddedPostgres({ dataDir, log });
  assert.equal(server.url, url);
  await server.stop();
});

test('a server that is taken over is restarted if it allows too few connections', async () => {
  const { child, url } = await hold();
  await kill(child);
  const [before] = (await query(url, 'SHOW max_connections')) as { max_connections: string }[];
  const more = Number(before?.max_connections) + 10;
  const settings = { max_connections: String(more) };
  const server = await startEmbeddedPostgres({ dataDir, log, settings });
  assert.equal(server.url, url);
  const allowed = await query(server.url, 'SHOW max_connections');
  const kept = await query(server.url, 'SELECT value FROM kept');
  await server.stop();
  assert.deepEqual([allowed, kept], [[settings], [{ value: 1 }]]);
});

test('a second product on the folder is refused, and the first continues', async () => {
  const { url } = await hold();
  await assert.rejects(startEmbeddedPostgres({ dataDir, log }), (error: Error) => {
    assert.ok(error instanceof DataDirInUseError);
    assert.match(error.message, /^DATA_DIR is in use by another running Coverdesk/);
    return true;
  });
  assert.deepEqual(await query(url, 'SELECT value FROM kept'), [{ value: 1 }]);
});

test('a killed server is restarted on the same address with its data', async () => {
  const server = await startEmbeddedPostgres({ dataDir, log });
  process.kill(await postmasterPid(), 'SIGKILL');
  assert.deepEqual(await untilAnswered(server, 'SELECT value FROM kept'), [{ value: 1 }]);
  await server.stop();
});

test('a server that is told to stop from outside is stopped in spite of its clients, and started again', {
  timeout: 60_000,
}, async () => {
  const server = await startEmbeddedPostgres({ dataDir, log });
  const client = new pg.Client({ connectionString: server.url });
  client.on('error', () => undefined);
  await client.connect();
  // A smart shutdown, which waits for every client.
  process.kill(await postmasterPid(), 'SIGTERM');
  assert.deepEqual(await untilAnswered(server, 'SELECT value FROM kept'), [{ value: 1 }]);
  await server.stop();
});

test('the server of a killed product that is told to stop is stopped in spite of its clients, and started', {
  timeout: 60_000,
}, async () => {
  const { child, url } = await hold();
  await kill(child);
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => undefined);
  await client.connect();
  process.kill(await postmasterPid(), 'SIGTERM');
  const server = await startEmbeddedPostgres({ dataDir, log });
  assert.deepEqual(await query(server.url, 'SELECT value FROM kept'), [{ value: 1 }]);
  await server.stop();
});

test('a server is restarted with one connection of the launcher, however often that fails', async (context) => {
  const errors: string[] = [];
  const failing = pino({ level: 'error' }, { write: (line: string) => errors.push(line) });
  const server = await startEmbeddedPostgres({ dataDir, log: failing });
  context.after(() => server.stop());
  const file = join(dataDir, 'postgres', 'port');
  await rm(file);
  await mkdir(file);
  process.kill(await postmasterPid(), 'SIGKILL');
  await waitFor('two failures', async () => errors.length >= 2);
  await rmdir(file);
  await waitFor('the restart', async () => existsSync(file));
  assert.equal((await keepers(server.url)).length, 1);
});

test('a stop does not wait for a frozen connection of the launcher', async () => {
  const server = await startEmbeddedPostgres({ dataDir, log });
  const [keeper] = await keepers(server.url);
  assert.ok(keeper);
  const { pid } = keeper;
  process.kill(pid, 'SIGSTOP');
  const stopping = server.stop();
  try {
    await waitFor('the stop', () => query(server.url, 'SELECT 1').then(isNever, isRefused), 10_000);
  } finally {
    process.kill(pid, 'SIGCONT');
    await stopping;
  }
});

test('a database starts after all processes were killed, even if another process has the old pid', async () => {
  const { child } = await hold();
  const pid = await postmasterPid();
  // The child first: it would restart the server.
  await kill(child);
  process.kill(pid, 'SIGKILL');
  const file = join(dataDir, 'postgres', 'cluster', 'postmaster.pid');
  const lines = await readFile(file, 'utf8');
  await writeFile(file, lines.replace(String(pid), String(process.pid)));
  const server = await startEmbeddedPostgres({ dataDir, log });
  assert.deepEqual(await query(server.url, 'SELECT value FROM kept'), [{ value: 1 }]);
  await server.stop();
});

test('the running database is found through a symbolic link, and a look-up leaves the pid file', async (context) => {
  const link = join(scratch, 'link');
  await mkdir(dataDir, { recursive: true });
  await symlink(dataDir, link);
  assert.equal(await findEmbeddedUrl(join(scratch, 'missing')), null);
  const server = await startEmbeddedPostgres({ dataDir: link, log });
  context.after(() => server.stop());
  assert.equal(await findEmbeddedUrl(link), server.url);
  assert.equal(await findEmbeddedUrl(dataDir), server.url);

  // Seen from another container, the server's pid belongs to another process.
  const pid = String(await postmasterPid());
  const file = join(dataDir, 'postgres', 'cluster', 'postmaster.pid');
  const lines = await readFile(file, 'utf8');
  await writeFile(file, lines.replace(pid, String(process.pid)));
  assert.equal(await findEmbeddedUrl(dataDir), null);
  assert.ok(existsSync(file));
  await writeFile(file, lines);
});

test('files of an interrupted first start do no harm, and are removed when their process has ended', async () => {
  const fresh = join(scratch, 'fresh');
  const [alive, gone] = [`cluster.new-${process.pid}`, 'cluster.new-4194303'];
  for (const left of [alive, gone]) await mkdir(join(fresh, 'postgres', left), { recursive: true });
  const [one, other] = [hold(fresh), hold(fresh)];
  const outcomes = await Promise.allSettled([one, other]);
  const serving = outcomes.flatMap((outcome) => (outcome.status === 'fulfilled' ? [outcome.value] : []));
  assert.equal(serving.length, 1, 'of two first starts at once one serves');
  const files = await readdir(join(fresh, 'postgres'));
  assert.deepEqual(
    [alive, gone].map((left) => files.includes(left)),
    [true, false],
  );
  for (const { child } of serving) await kill(child);
  await (await startEmbeddedPostgres({ dataDir: fresh, log })).stop();
});

test('the product’s role is no superuser, cannot create databases, and has its own password', async () => {
  const server = await startEmbeddedPostgres({ dataDir, log });
  const [role] = await query(
    server.url,
    'SELECT rolsuper, rolcreatedb, rolcreaterole FROM pg_roles WHERE rolname = current_user',
  );
  assert.deepEqual(role, { rolsuper: false, rolcreatedb: false, rolcreaterole: false });
  const superuser = new URL(server.url);
  superuser.username = 'postgres';
  const refused = { code: '28P01' };
  await assert.rejects(query(superuser.href, 'SELECT 1'), refused);

  // In folders of older versions, both roles had the same password.
  const own = new URL(superuser);
  own.password = await readFile(join(dataDir, 'postgres', 'superuser-password'), 'utf8');
  assert.equal((await stat(join(dataDir, 'postgres', 'superuser-password'))).mode & 0o777, 0o600);
  await query(own.href, `ALTER ROLE postgres PASSWORD '${superuser.password}'`);
  await query(superuser.href, 'SELECT 1');
  await server.stop();
  const later = await startEmbeddedPostgres({ dataDir, log });
  await query(later.url, 'SELECT 1');
  superuser.port = new URL(later.url).port;
  await assert.rejects(query(superuser.href, 'SELECT 1'), refused);
  await later.stop();
});

test('passwords that an editor wrote back are the same, and empty ones are told in a sentence', async () => {
  const files = ['password', 'superuser-password'].map((name) => join(dataDir, 'postgres', name));
  const kept = await Promise.all(files.map((file) => readFile(file, 'utf8')));
  const writeAll = (edit: (password: string) => string) =>
    Promise.all(files.map((file, index) => writeFile(file, edit(kept[index] ?? ''))));
  try {
    await writeAll(() => '');
    const refused = new StartError(`${files[0]} is empty: put the file back`);
    await assert.rejects(startEmbeddedPostgres({ dataDir, log }), refused);
    await writeAll((password) => `${password}\n`);
    const server = await startEmbeddedPostgres({ dataDir, log });
    await query(server.url, 'SELECT 1');
    await server.stop();
  } finally {
    await writeAll((password) => password);
  }
});

test('the start fails at once if the server refuses the login, and leaves no server', {
  timeout: 60_000,
}, async () => {
  const file = join(dataDir, 'postgres', 'cluster', 'pg_hba.conf');
  const rules = await readFile(file, 'utf8');
  await writeFile(file, 'host all all all reject\n');
  try {
    await assert.rejects(startEmbeddedPostgres({ dataDir, log }), { code: '28000' });
  } finally {
    await writeFile(file, rules);
  }
  assert.ok(!existsSync(join(dataDir, 'postgres', 'cluster', 'postmaster.pid')));
});

test('a folder that lost the passwords of its database is refused in a sentence', async () => {
  const files = ['password', 'superuser-password'].map((name) => join(dataDir, 'postgres', name));
  const kept = await Promise.all(files.map((file) => readFile(file)));
  for (const file of files) await rm(file);
  const refused = startEmbeddedPostgres({ dataDir, log });
  await assert.rejects(refused, (error: Error) => {
    assert.ok(error instanceof StartError);
    assert.match(error.message, /^The embedded database refuses .*\/postgres\/superuser-password: put /);
    return true;
  });
  assert.ok(!existsSync(join(dataDir, 'postgres', 'cluster', 'postmaster.pid')));
  // Put back as the sentence says.
  for (const [index, file] of files.entries()) await writeFile(file, kept[index] ?? '');
  const server = await startEmbeddedPostgres({ dataDir, log });
  assert.deepEqual(await query(server.url, 'SELECT value FROM kept'), [{ value: 1 }]);
  await server.stop();
});

test('the start waits for a long recovery, and a stop ends the wait and the server', {
  timeout: 120_000,
}, async (context) => {
  const folder = join(dataDir, 'postgres', 'cluster');
  const own = join(folder, 'postgresql.auto.conf');
  const kept = await readFile(own, 'utf8');
  context.after(() => writeFile(own, kept));
  const recoverSlowly = async (seconds: number) => {
    // Without hot_standby, the server takes no connections until it has recovered, as after a crash.
    await writeFile(own, `restore_command = 'rm slow && sleep ${seconds}; false'\nhot_standby = off\n`);
    for (const name of ['slow', 'recovery.signal']) await writeFile(join(folder, name), '');
  };
  const noticed = Promise.withResolvers<string>();
  const noticing = pino({ level: 'warn' }, { write: (line: string) => noticed.resolve(line) });

  await recoverSlowly(60);
  const stop = new AbortController();
  const started = startEmbeddedPostgres({ dataDir, log: noticing, signal: stop.signal });
  assert.match(await noticed.promise, /waiting for the embedded PostgreSQL, which may recover from a crash/);
  stop.abort(new Error('stopped'));
  await assert.rejects(started, { message: 'stopped' });
  assert.equal(existsSync(join(folder, 'postmaster.pid')), false);

  await recoverSlowly(8);
  const before = Date.now();
  const server = await startEmbeddedPostgres({ dataDir, log });
  assert.ok(Date.now() - before > 8000, 'pg_ctl waits 5 s');
  assert.deepEqual(await query(server.url, 'SELECT value FROM kept'), [{ value: 1 }]);
  await server.stop();
});

test('the database’s processes get no secrets from the environment of the product', {
  skip: process.platform !== 'linux',
}, async (context) => {
  const canaries = { ADMIN_PASSWORD: 'canary-admin', SMTP_URL: 'smtp://canary', GSX_SECRET: 'canary-gsx' };
  Object.assign(process.env, canaries);
  context.after(() => {
    for (const name of Object.keys(canaries)) delete process.env[name];
  });
  const server = await startEmbeddedPostgres({ dataDir, log });
  const environ = await readFile(`/proc/${await postmasterPid()}/environ`, 'utf8');
  assert.match(environ, /LC_ALL=C/);
  assert.doesNotMatch(environ, /canary/);
  await server.stop();
});

test('a second product in another container is refused as well', async () => {
  const { url } = await hold();
  const file = join(dataDir, 'postgres', 'cluster', 'postmaster.pid');
  const lines = await readFile(file, 'utf8');
  // In another container, the server's pid belongs to no process or to a different one.
  await writeFile(file, lines.replace(/^\d+/, '4194303'));
  try {
    await assert.rejects(startEmbeddedPostgres({ dataDir, log }), DataDirInUseError);
    assert.deepEqual(await query(url, 'SELECT value FROM kept'), [{ value: 1 }]);
  } finally {
    await writeFile(file, lines);
  }
});

test('a folder of another version of PostgreSQL is refused with a helpful message', async () => {
  const file = join(dataDir, 'postgres', 'cluster', 'PG_VERSION');
  const version = await readFile(file, 'utf8');
  await writeFile(file, '17\n');
  try {
    await assert.rejects(startEmbeddedPostgres({ dataDir, log }), (error: Error) => {
      assert.ok(error instanceof DataDirVersionError);
      assert.match(
        error.message,
        /^DATA_DIR holds a database of PostgreSQL 17, and this version of Coverdesk runs 18: /,
      );
      return true;
    });
  } finally {
    await writeFile(file, version);
  }
});

test('the server’s log is rotated while the server continues to write', async () => {
  const file = join(scratch, 'server.log');
  const writer = await open(file, 'a');
  await writer.write('x'.repeat(2000));
  await rotateLog(file, 5000);
  assert.equal((await stat(file)).size, 2000, 'not before it is large');
  await rotateLog(file, 1000);
  await writer.write('after');
  await writer.close();
  assert.equal(await readFile(file, 'utf8'), 'after');
  assert.equal((await readFile(`${file}.old`, 'utf8')).length, 2000);
});

test('a log that cannot be copied is truncated, because its disk may be full', async () => {
  const file = join(scratch, 'full.log');
  await writeFile(file, 'x'.repeat(2000));
  await mkdir(`${file}.old`);
  await rotateLog(file, 1000);
  assert.equal((await stat(file)).size, 0);
});

const isNever = () => false;
const isRefused = ({ code }: { code?: string }) => code === '57P03' || code === 'ECONNREFUSED';

/** Returns the connections of the launcher. */
async function keepers(url: string) {
  const sql = `SELECT pid FROM pg_stat_activity WHERE usename = 'postgres' AND datname = 'postgres'`;
  return (await query(url, sql)) as { pid: number }[];
}

/** Starts a process that runs the server until it is killed. */
async function hold(folder = dataDir): Promise<{ child: ChildProcess; url: string }> {
  const child = fork(holder, [folder], { stdio: ['ignore', 'ignore', 'ignore', 'ipc'] });
  children.push(child);
  const ended = once(child, 'exit').then(() => Promise.reject(new Error('it did not start')));
  const [url] = await Promise.race([once(child, 'message'), ended]);
  return { child, url };
}

async function kill(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill('SIGKILL');
  await once(child, 'exit');
}

async function postmasterPid(): Promise<number> {
  return Number(
    (await readFile(join(dataDir, 'postgres', 'cluster', 'postmaster.pid'), 'utf8')).split('\n')[0],
  );
}

async function query(url: string, sql: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => undefined);
  await client.connect();
  try {
    return (await client.query(sql)).rows;
  } finally {
    await client.end();
  }
}

async function untilAnswered(server: EmbeddedPostgres, sql: string): Promise<unknown[]> {
  for (;;) {
    try {
      return await query(server.url, sql);
    } catch (error) {
      if (!['ECONNREFUSED', 'ECONNRESET', '57P03'].includes((error as { code?: string }).code ?? ''))
        throw error;
    }
  }
}
