import assert from 'node:assert/strict';
import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, afterEach, before, beforeEach, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import type pg from 'pg';
import { Vault } from '#server/vault/vault.ts';
import { createEmptyDatabase } from '#tests/support/database/database.ts';
import { holdLock, waitForWaiting } from '#tests/support/database/race.ts';
import { importTicket, makeSerials, waitUntilDone } from '#tests/support/lookups/tickets.ts';
import { type ProductProcess, startProcess } from '#tests/support/product/product-process.ts';
import { storeProxySet } from '#tests/support/sources/proxies.ts';

// Starts real processes with different settings on one database.
const secrets = {
  JWT_SECRET: 'signs the sessions of this test alone',
  SECRETS_KEY: 'seals the stored secrets of this test alone',
};
const registry = { name: 'own-list', kind: 'registry' };
let scratch: string;
let realSources: string;
let sandboxAlone: string;
let database: { url: string; pool: pg.Pool; close(): Promise<void> };
const running = new Set<ProductProcess>();

before(async () => {
  scratch = await mkdtemp(join(tmpdir(), 'coverdesk-agreement-'));
  realSources = join(scratch, 'sources.json');
  await writeFile(realSources, JSON.stringify({ sources: [registry] }));
  sandboxAlone = join(scratch, 'sandbox.json');
  await writeFile(sandboxAlone, JSON.stringify({ sources: [{ name: 'sandbox', kind: 'sandbox' }] }));
});
after(() => rm(scratch, { recursive: true }));
beforeEach(async () => {
  database = await createEmptyDatabase();
});
afterEach(async () => {
  for (const one of running)
    if (one.process.exitCode === null && one.process.signalCode === null) await one.killAll();
  running.clear();
  await database.close();
});

function start(command: string, env: Record<string, string>): ProductProcess {
  const one = startProcess(command, {
    DATABASE_URL: database.url,
    DATA_DIR: scratch,
    ADMIN_PASSWORD: 'a long enough one',
    ...secrets,
    ...env,
  });
  running.add(one);
  return one;
}

/** Returns the last lines of a refused start that are no log lines. */
async function readRefusal(refused: ProductProcess): Promise<string[]> {
  const ready = refused.ready().then(
    () => 'ready',
    () => refused.ended,
  );
  assert.equal(await Promise.race([refused.ended, ready]), 1);
  return refused.log.filter((line) => !line.startsWith('{'));
}

const listProcesses = async () =>
  (await database.pool.query('SELECT kind, sources FROM processes ORDER BY kind')).rows;

test('a process with other settings than the running ones is refused with one line that names the variables', async () => {
  const product = start('start', { SOURCES_FILE: realSources });
  await product.ready();
  assert.deepEqual(await listProcesses(), [
    { kind: 'api', sources: ['own-list'] },
    { kind: 'worker', sources: ['own-list'] },
  ]);

  const refusals: [command: string, env: Record<string, string>, line: RegExp][] = [
    ['worker', {}, /^SOURCES_FILE .* Sources there: own-list; here: sandbox\./],
    [
      'worker',
      { SOURCES_FILE: realSources, SECRETS_KEY: 'another key of thirty-two bytes..' },
      /^SECRETS_KEY /,
    ],
    ['worker', { SOURCES_FILE: realSources, APP_TIMEZONE: 'UTC' }, /^APP_TIMEZONE must be the same/],
    [
      'start',
      { SOURCES_FILE: realSources, JWT_SECRET: 'another secret of thirty-two bytes' },
      /^JWT_SECRET /,
    ],
    [
      'worker',
      { SECRETS_KEY: 'another key of thirty-two bytes..' },
      /^SOURCES_FILE \(or a variable that it names\) and SECRETS_KEY must be the same in all processes/,
    ],
  ];
  for (const [command, env, line] of refusals) {
    const lines = await readRefusal(start(command, env));
    assert.equal(lines.length, 1, lines.join('\n'));
    assert.match(lines[0] ?? '', line);
  }
  const same = start('worker', { SOURCES_FILE: realSources, JWT_SECRET: '' });
  await same.ready();
  assert.equal((await listProcesses()).length, 3);
  await Promise.all([product.stop(), same.stop()]);
  assert.deepEqual(await listProcesses(), []);
});

test('when all processes with real sources have ended, the sandbox serves their database only if SOURCES_FILE names it', async () => {
  const before = start('worker', {});
  await before.ready();
  const [line = ''] = await readRefusal(start('worker', { SOURCES_FILE: realSources }));
  assert.match(line, /^SOURCES_FILE .* Sources there: sandbox; here: own-list\./);
  await before.stop();
  // When all processes have ended, the next start may have real sources.
  const real = start('worker', { SOURCES_FILE: realSources });
  await real.ready();
  await real.stop();

  for (const command of ['start', 'worker']) {
    assert.deepEqual(await readRefusal(start(command, {})), [
      'SOURCES_FILE is not set, but real sources (own-list) have served this database, and the sandbox must not answer in ' +
        'their place. Set it to their file. To use the sandbox nevertheless, set it to a file that lists the sandbox.',
    ]);
  }
  const sandbox = start('worker', { SOURCES_FILE: sandboxAlone });
  await sandbox.ready();
  assert.deepEqual(await listProcesses(), [{ kind: 'worker', sources: ['sandbox'] }]);
  await sandbox.stop();
});

test('after a kill of all processes, a start with other sources waits until they count as dead', async () => {
  const product = start('start', {});
  await product.ready();
  await product.killAll();
  const next = start('start', { SOURCES_FILE: realSources });
  await next.ready();
  assert.deepEqual(await listProcesses(), [
    { kind: 'api', sources: ['own-list'] },
    { kind: 'worker', sources: ['own-list'] },
  ]);
  assert.match(next.log.join('\n'), /waiting up to 10 s/);
  await next.stop();
});

test('a worker that was suspended while processes with other sources started ends and names the variable', async () => {
  const sandbox = start('worker', {});
  await sandbox.ready();
  const ticketId = await importTicket(database.pool, makeSerials('HELD', 2000));
  await waitUntilDone(database.pool, ticketId, 1);
  const group = -(sandbox.process.pid ?? 0);
  process.kill(group, 'SIGSTOP');
  const product = start('start', { SOURCES_FILE: realSources });
  await product.ready();
  const countInvented = async () =>
    (await database.pool.query("SELECT FROM serials WHERE source = 'sandbox' AND state <> 'pending'"))
      .rowCount;
  const invented = await countInvented();
  process.kill(group, 'SIGCONT');
  assert.equal(await Promise.race([sandbox.ended, delay(15_000, 'still running')]), 1);
  const [line = '', ...more] = sandbox.log.filter((one) => !one.startsWith('{'));
  assert.match(line, /^SOURCES_FILE .* Sources there: own-list; here: sandbox\./);
  assert.deepEqual(more, []);
  assert.deepEqual(
    (await listProcesses()).map(({ sources }) => sources),
    [['own-list'], ['own-list']],
  );
  assert.equal(await countInvented(), invented);
  await product.stop();
});

test('processes of an older release end with one line that names the migration of a newer one', async () => {
  const product = start('start', {});
  const worker = start('worker', { WORKERS: '2' });
  await Promise.all([product.ready(), worker.ready()]);
  await database.pool.query(
    'DELETE FROM schema_migrations WHERE number = (SELECT max(number) FROM schema_migrations)',
  );
  await delay(5000); // two heartbeats
  assert.equal((await listProcesses()).length, 4, 'an older schema is no reason to end');

  await database.pool.query(
    `INSERT INTO schema_migrations (number, name, checksum) VALUES (999, '999-next.sql', 'next')`,
  );
  for (const older of [product, worker]) {
    assert.equal(await Promise.race([older.ended, delay(15_000, 'still running')]), 1);
    assert.deepEqual(
      older.log.filter((line) => !line.startsWith('{')),
      ['The database is newer than this version of Coverdesk (it has 999-next.sql): start a newer version'],
    );
  }
});

test('a start with a SECRETS_KEY that cannot open every secret is refused, and seals them again with SECRETS_KEY_OLD set', async () => {
  const first = start('worker', {});
  await first.ready();
  await first.stop();
  const sealed = new Vault(secrets.SECRETS_KEY).seal('proxy', 'hush-hush');
  await storeProxySet(database.pool, 'set-20261122-01', [`http://me:${sealed}@203.0.113.9:8080`]);
  const another = { SECRETS_KEY: 'another key of thirty-two bytes..' };
  for (const command of ['start', 'worker']) {
    const lines = await readRefusal(start(command, another));
    assert.equal(lines.length, 1, lines.join('\n'));
    assert.match(lines[0] ?? '', /^SECRETS_KEY lacks the key [0-9a-f]{8}, .* SECRETS_KEY_OLD/);
  }
  const product = start('start', { ...another, SECRETS_KEY_OLD: secrets.SECRETS_KEY });
  await product.ready();
  await product.stop();
  const [line = ''] = await readRefusal(start('start', {}));
  assert.match(line, /^SECRETS_KEY lacks the key/);
  const without = start('worker', another);
  await without.ready();
  await without.stop();
});

test('secrets:rotate is refused while a process runs with only the old key, and without a database', async () => {
  const product = start('start', {});
  await product.ready();
  const rotation = { SECRETS_KEY: 'another key of thirty-two bytes..', SECRETS_KEY_OLD: secrets.SECRETS_KEY };
  const [line = '', ...more] = await readRefusal(start('rotate-secrets', rotation));
  assert.match(line, /^SECRETS_KEY must be the same in all processes .* running api on /);
  assert.deepEqual(more, []);
  await product.stop();

  const sealed = new Vault(secrets.SECRETS_KEY).seal('proxy', 'hush-hush');
  await storeProxySet(database.pool, 'set-20261122-01', [`http://me:${sealed}@203.0.113.9:8080`]);
  const rotated = await holdLock(database.pool, ['SELECT FROM proxies FOR UPDATE', []], async () => {
    const rotating = start('rotate-secrets', rotation);
    await waitForWaiting(database.pool, 1);
    const [refused = ''] = await readRefusal(start('worker', {}));
    assert.match(refused, /^SECRETS_KEY must be the same in all processes .* running rotation on /);
    return rotating;
  });
  assert.equal(await rotated.ended, 0);

  const DATA_DIR = join(scratch, 'nothing');
  const lines = await readRefusal(start('rotate-secrets', { DATA_DIR, DATABASE_URL: '' }));
  assert.deepEqual(lines, [`DATA_DIR takes the folder of a product: there is no database in ${DATA_DIR}`]);
  const keyless = await readRefusal(start('rotate-secrets', { DATA_DIR, SECRETS_KEY: '' }));
  assert.deepEqual(keyless, [
    `DATA_DIR takes the folder of a product: there is no secrets-key in ${DATA_DIR}`,
  ]);
  await assert.rejects(stat(DATA_DIR), { code: 'ENOENT' });
});
