import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { type AddressInfo, connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { pino } from 'pino';
import { parseConfig } from '#server/runtime/config.ts';
import { findFreePort } from '#server/runtime/free-port.ts';
import { createTestDatabase } from '#tests/support/database/database.ts';
import { holdLock } from '#tests/support/database/race.ts';
import { waitFor } from '#tests/support/wait.ts';
import { openDatabase, reachDatabase } from './database.ts';
import { Stop, StopRequested } from './processes/stop.ts';

test('a start that waits for the database server says so, without the password', async () => {
  const lines: string[] = [];
  const log = pino({ level: 'info' }, { write: (line: string) => lines.push(line) });
  const port = await findFreePort('127.0.0.1');
  const config = parseConfig({ DATABASE_URL: `postgres://me:hush@127.0.0.1:${port}/coverdesk` });
  const stop = new Stop();
  const reaching = reachDatabase(config, log, stop);
  await waitFor('the line', async () => lines.length > 0);
  stop.request('gently');
  await assert.rejects(reaching, StopRequested);
  assert.equal(lines.length, 1);
  assert.match(lines[0] ?? '', new RegExp(`connect ECONNREFUSED 127.0.0.1:${port}.*waiting up to 15 s`));
  assert.doesNotMatch(lines.join(), /hush/);
});

test('a start waits for a balancer that has no primary yet, and for a server that has no free connection', async (t) => {
  const database = await createTestDatabase();
  const { hostname, port } = new URL(database.url);
  const full = Buffer.from('SFATAL\0C53300\0Mtoo many clients\0\0');
  const refusal = Buffer.concat([Buffer.from('E'), Buffer.from([0, 0, 0, full.length + 4]), full]);
  const answers = [Buffer.alloc(0), refusal];
  const server = createServer((client) => {
    client.on('error', () => undefined);
    const answer = answers.shift();
    if (answer) client.once('data', () => client.end(answer));
    else client.pipe(connect(Number(port), hostname)).pipe(client);
  });
  t.after(async () => {
    server.close();
    await database.close();
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const url = new URL(database.url);
  url.host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  const config = parseConfig({ DATABASE_URL: url.href });
  assert.equal(await reachDatabase(config, pino({ level: 'silent' }), new Stop()), url.href);
  assert.deepEqual(answers, []);
});

test('a server that writes days in another style than ISO is refused', async (t) => {
  const database = await createTestDatabase();
  t.after(() => database.close());
  const name = new URL(database.url).pathname.slice(1);
  await database.pool.query(`ALTER DATABASE ${name} SET datestyle = 'SQL, DMY'`);
  const config = parseConfig({ DATABASE_URL: database.url });
  const reaching = reachDatabase(config, pino({ level: 'silent' }), new Stop());
  await assert.rejects(reaching, /^Error: DATABASE_URL takes a server with the DateStyle ISO, not SQL, DMY/);
});

test('a stop of the embedded database while it starts ends the start as a stop', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'coverdesk-stop-'));
  t.after(() => rm(folder, { recursive: true, force: true }));
  const stop = new Stop();
  stop.request('gently');
  const config = parseConfig({ DATA_DIR: folder });
  await assert.rejects(reachDatabase(config, pino({ level: 'silent' }), stop), StopRequested);
});

test('a start that waits for another process that migrates says so, and a stop ends the wait', async (t) => {
  const database = await createTestDatabase();
  t.after(() => database.close());
  const lines: string[] = [];
  const log = pino({ level: 'info' }, { write: (line: string) => lines.push(line) });
  const stop = new Stop();
  await holdLock(database.pool, ['SELECT pg_advisory_xact_lock($1)', [0x436f766d]], async () => {
    const opening = openDatabase(parseConfig({ DATABASE_URL: database.url }), log, stop);
    opening.catch(() => undefined);
    await waitFor('the line', async () => lines.length > 0);
    const before = performance.now();
    stop.request('gently');
    await assert.rejects(opening, StopRequested);
    assert.ok(performance.now() - before < 1000);
  });
  assert.match(lines.join(), /waiting for another process that migrates or restores the database/);
});
