import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { findFreePort } from '#server/runtime/free-port.ts';
import { createEmptyDatabase, createTestDatabase } from '#tests/support/database/database.ts';
import { holdLock, waitForWaiting } from '#tests/support/database/race.ts';
import { signInAs } from '#tests/support/product/client.ts';
import { type ProductProcess, startProcess } from '#tests/support/product/product-process.ts';
import { waitFor } from '#tests/support/wait.ts';

// Runs the commands as real processes.
const admin = { ADMIN_EMAIL: 'boss@example.com', ADMIN_PASSWORD: 'a long enough one' };
let scratch: string;
const running: ProductProcess[] = [];

before(async () => {
  scratch = await mkdtemp(join(tmpdir(), 'coverdesk-product-'));
});
after(async () => {
  // Only removes what a failed test has left.
  for (const one of running) if (one.process.exitCode === null) await one.stop();
  await rm(scratch, { recursive: true });
});

function start(command: string, env: Record<string, string>): ProductProcess {
  const one = startProcess(command, env);
  running.push(one);
  return one;
}

/** Signs in. @returns the claims of the token */
async function signIn(url: string, email: string, password: string): Promise<Record<string, unknown>> {
  const { token } = await signInAs(url, email, password);
  return JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString());
}

/** Returns the lines that a normal start does not write: warnings, errors, and other text than log lines. */
function complaintsOf({ log }: ProductProcess): string[] {
  return log.filter((line) => !/^\{"level":(10|20|30),/.test(line));
}

test('an unknown command is answered with how the program is called', async () => {
  const unknown = start('nonsense', { DATA_DIR: scratch });
  assert.equal(await unknown.ended, 2);
  assert.match(unknown.log.join('\n'), /^usage: node \S+\/dist-server\/main\.js demo \| start \| [^\n]+$/);
});

test('wrong values stop the start with one line for each variable', async () => {
  const wrong = start('start', { PORT: 'many', DATA_DIR: scratch, PRICE_USD: '-1', HOST: '0.0.0.0' });
  assert.equal(await wrong.ended, 1);
  assert.deepEqual(wrong.lines, []);
  assert.deepEqual(wrong.log.map((line) => line.split(' ')[0]).sort(), ['PORT', 'PRICE_USD', 'PUBLIC_URL']);
});

test('a mistake in SOURCES_FILE stops the start with its line alone, and a file without an enabled source is told', async () => {
  const file = join(scratch, 'sources.json');
  const env = { DATA_DIR: join(scratch, 'mistaken'), SOURCES_FILE: file };
  await writeFile(file, '{ "sources": [{ "name": "shop", "kind": "https" }] }');
  for (const command of ['start', 'sources-check']) {
    const mistaken = start(command, env);
    assert.equal(await mistaken.ended, 1);
    assert.deepEqual(mistaken.lines, []);
    assert.deepEqual(
      mistaken.log.map((line) => line.split(':')[0]),
      ['SOURCES_FILE sources[0].kind'],
    );
  }
  await writeFile(file, '{ "sources": [{ "name": "sandbox", "kind": "sandbox", "enabled": false }] }');
  const idle = start('start', env);
  await idle.ready();
  assert.equal(await idle.stop(), 0);
  assert.deepEqual(
    complaintsOf(idle).map((line) => /SOURCES_FILE has no enabled source/.test(line)),
    [true],
  );
  for (const text of ['the process has started', 'the process has ended']) {
    const names = idle.log.filter((line) => line.includes(text)).map((line) => JSON.parse(line).name);
    assert.deepEqual(names.sort(), ['api', 'worker']);
  }
});

test('a file of DATA_DIR that cannot be opened is named in one line', async () => {
  const folder = join(scratch, 'looping');
  await mkdir(join(folder, 'postgres', 'cluster'), { recursive: true });
  // Nobody can open a link to itself, also not root.
  await symlink('secrets-key', join(folder, 'secrets-key'));
  const locked = join(scratch, 'locked');
  await mkdir(locked);
  await symlink('postgres', join(locked, 'postgres'));
  const file = join(scratch, 'never.tar.gz');
  for (const [command, env] of [
    ['rotate-secrets', { DATA_DIR: folder }],
    ['rotate-secrets', { DATA_DIR: locked }],
    [`backup ${file}`, { DATA_DIR: locked }],
    [`restore ${file}`, { DATA_DIR: locked }],
    ['admin reset-password a@example.com', { DATA_DIR: locked }],
  ] as const) {
    const refused = start(command, env);
    assert.equal(await refused.ended, 1);
    assert.equal(refused.log.length, 1);
    assert.match(
      refused.log[0] ?? '',
      /^A file cannot be used: ELOOP: too many symbolic links encountered, \w+ '.*'$/,
    );
  }
});

test('a command that is stopped while it waits for the database ends as a failure', async () => {
  const port = await findFreePort('127.0.0.1');
  const env = {
    DATA_DIR: await mkdtemp(join(scratch, 'stopped-')),
    DATABASE_URL: `postgres://127.0.0.1:${port}/coverdesk`,
    SECRETS_KEY: 'x'.repeat(32),
  };
  for (const command of ['rotate-secrets', 'admin reset-password ayu@example.test']) {
    const stopped = start(command, env);
    await waitFor('it to wait', async () => stopped.log.some((line) => line.includes('waiting up to')));
    assert.equal(await stopped.stop(), 1, command);
    assert.equal(stopped.log.at(-1), 'Stopped before anything was done.');
  }
});

test('a command that loses its database says in one line what became of it, also with a silent log', async (t) => {
  const [database, empty] = [await createTestDatabase(), await createEmptyDatabase()];
  t.after(() => Promise.all([database.close(), empty.close()]));
  const file = join(scratch, 'whole.tar.gz');
  const env = { DATA_DIR: scratch, SECRETS_KEY: 'x'.repeat(32), LOG_LEVEL: 'silent' };
  const made = start(`backup ${file}`, { ...env, DATABASE_URL: database.url });
  assert.equal(await made.ended, 0);
  const cut = join(scratch, 'cut.tar.gz');
  for (const [command, { url, pool }, lock, said] of [
    [`backup ${cut}`, database, 'LOCK TABLE tickets', 'The backup was not written'],
    [
      `restore ${file}`,
      empty,
      'SELECT pg_advisory_xact_lock(1131378285)',
      'The restore may not have been done, run it again',
    ],
    [
      'admin reset-password a@example.com',
      database,
      'LOCK TABLE users',
      'It may not have been done, run it again',
    ],
    ['rotate-secrets', database, 'LOCK TABLE webhooks', 'The rotation is not complete, run it again'],
  ] as const) {
    const lost = await holdLock(pool, [lock, []], async () => {
      const one = start(command, { ...env, DATABASE_URL: url });
      await waitForWaiting(pool, 1);
      await pool.query(
        `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
         WHERE datname = current_database() AND wait_event_type = 'Lock'`,
      );
      assert.equal(await one.ended, 1, command);
      return one;
    });
    assert.deepEqual(lost.log, [`${said}: terminating connection due to administrator command`], command);
  }
  assert.equal(existsSync(cut), false);
});

test('a full disk ends the start with a sentence', { skip: !existsSync('/dev/full') }, async () => {
  const folder = join(scratch, 'full');
  await mkdir(join(folder, 'postgres'), { recursive: true });
  await symlink('/dev/full', join(folder, 'postgres', 'port.new'));
  const refused = start('start', { DATA_DIR: folder });
  assert.equal(await refused.ended, 1);
  assert.equal(refused.log.at(-1), `The disk is full: make room for DATA_DIR (${folder})`);
});

test('npm start prints one line, ends gracefully, and the next start finds all data', async () => {
  const env = { DATA_DIR: join(scratch, 'first'), WORKERS: '2' };
  const first = start('start', env);
  const url = await first.ready();
  const [account, ...more] = first.lines;
  assert.deepEqual(more, [`Coverdesk is ready at ${url}`]);
  const [, email, password] = /^Superadmin: (\S+) \/ (\S+)$/.exec(account ?? '') ?? [];
  const token = await signIn(url, email ?? '', password ?? '');
  assert.deepEqual([token.email, token.superadmin, token.new_user], ['admin@localhost', '1', '1']);
  for (const health of ['live', 'ready'])
    assert.equal((await fetch(`${url}/api/health/${health}`)).status, 200);
  assert.equal(await first.stop(), 0);
  assert.deepEqual(complaintsOf(first), []);

  const options = await readFile(join(scratch, 'first', 'postgres', 'cluster', 'postmaster.opts'), 'utf8');
  assert.match(options, /max_connections=110/);

  const second = start('start', env);
  const again = await second.ready();
  assert.deepEqual(second.lines, [`Coverdesk is ready at ${again}`]);
  await signIn(again, email ?? '', password ?? '');
  const refused = start('start', env);
  assert.equal(await refused.ended, 1);
  assert.deepEqual(
    refused.log.filter((line) => !line.startsWith('{')).map((line) => line.split(':')[0]),
    ['DATA_DIR is in use by another running Coverdesk'],
  );

  await second.killAll();
  const third = start('start', env);
  await signIn(await third.ready(), email ?? '', password ?? '');
  assert.equal(await third.stop(), 0);
  assert.deepEqual(complaintsOf(third), []);
});

test('a product whose parent process is killed ends by itself, with its database server', async () => {
  const env = { DATA_DIR: join(scratch, 'first'), WORKERS: '2' };
  const left = start('start', env);
  const url = await left.ready();
  left.process.disconnect();
  assert.equal(await left.ended, 0);
  await assert.rejects(fetch(url));
  const pidFile = join(scratch, 'first', 'postgres', 'cluster', 'postmaster.pid');
  await assert.rejects(stat(pidFile), { code: 'ENOENT' });
});

test('npm start and npm run worker share a PostgreSQL server, and name missing variables', async () => {
  const worker = start('worker', { DATA_DIR: join(scratch, 'worker') });
  assert.equal(await worker.ended, 1);
  assert.match(worker.log.join('\n'), /^DATABASE_URL takes [^\n]+$/);

  const database = await createEmptyDatabase();
  try {
    const open = start('start', { DATA_DIR: join(scratch, 'served'), DATABASE_URL: database.url });
    assert.equal(await open.ended, 1);
    assert.match(open.log.join('\n'), /^JWT_SECRET is required [^\n]+$/);

    const served = { DATABASE_URL: database.url, SECRETS_KEY: 'shared by all processes on this database' };
    const secret = { JWT_SECRET: 'shared by all processes, but not by workers' };
    const [product, second] = [
      start('start', { DATA_DIR: join(scratch, 'served'), WORKERS: '2', ...served, ...secret, ...admin }),
      start('worker', { DATA_DIR: join(scratch, 'worker'), WORKERS: '2', ...served }),
    ];
    const url = await product.ready();
    await second.ready();
    assert.deepEqual(product.lines, [`Coverdesk is ready at ${url}`]);
    assert.deepEqual(second.lines, ['Coverdesk worker is ready']);
    const { rows } = await database.pool.query('SELECT count(*)::integer AS workers FROM workers');
    assert.deepEqual(rows, [{ workers: 4 }]);
    const token = await signIn(url, admin.ADMIN_EMAIL, admin.ADMIN_PASSWORD);
    assert.equal(token.new_user, '0');
    assert.deepEqual(await Promise.all([product.stop(), second.stop()]), [0, 0]);
    assert.deepEqual([...complaintsOf(product), ...complaintsOf(second)], []);
  } finally {
    await database.close();
  }
});

test('npm run demo prints two accounts and a sample, the same at every start', async () => {
  const env = { DATA_DIR: join(scratch, 'demo') };
  const first = start('demo', env);
  const url = await first.ready();
  assert.deepEqual(
    first.lines.map((line) => line.split(/[:@]/)[0]),
    ['Superadmin', 'User', 'Sample', 'Coverdesk is ready at http'],
  );
  const accounts = first.lines.slice(0, 2).map((line) => /: (\S+) \/ (\S+)$/.exec(line) ?? []);
  const tokens = await Promise.all(
    accounts.map(([, email, password]) => signIn(url, email ?? '', password ?? '')),
  );
  assert.deepEqual(
    tokens.map((token) => [token.superadmin, token.new_user]),
    [
      ['1', '0'],
      ['0', '0'],
    ],
  );
  assert.match(String(tokens[1]?.company_code), /^[A-Z0-9]{3}\d{3}$/);
  const sample = first.lines[2]?.replace('Sample: ', '') ?? '';
  assert.equal((await readFile(sample)).subarray(0, 2).toString(), 'PK');
  assert.equal((await stat(join(scratch, 'demo', 'demo-accounts.json'))).mode & 0o777, 0o600);
  assert.equal(await first.stop(), 0);
  assert.deepEqual(complaintsOf(first), []);

  const second = start('demo', env);
  await second.ready();
  assert.deepEqual(second.lines.slice(0, 3), first.lines.slice(0, 3));
  assert.equal(await second.stop(), 0);
});
