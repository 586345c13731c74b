import assert from 'node:assert/strict';
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, beforeEach, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { isAlive } from '#server/runtime/is-alive.ts';
import { createLog } from '#server/runtime/log.ts';
import { waitFor } from '#tests/support/wait.ts';
import { ChildError, superviseChild } from './supervisor.ts';

const support = new URL('../../../../tests/support/product/', import.meta.url);
const log = createLog('test', 'silent');
let folder: string;
let notesFile: string;

before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'coverdesk-supervisor-'));
});
beforeEach((context) => {
  notesFile = join(folder, `${context.name.replaceAll(/\W/g, '-')}.txt`);
});
after(() => rm(folder, { recursive: true }));

const module = new URL('supervised-child.ts', support);
const finalFailures: string[] = [];
const start = (behaviour: string, later = Promise.resolve({ NOTES: notesFile, BEHAVIOUR: behaviour })) =>
  superviseChild({ name: 'child', module, env: process.env, later }, log, ({ message }) =>
    finalFailures.push(message),
  );
const notes = async () => (await readFile(notesFile, 'utf8')).trim().split('\n');
const pidOf = (note: string | undefined) => Number(note?.split(' ')[1]);

test('a child that dies is restarted, and drains on request', async () => {
  const supervised = await start('well');
  const [first] = await notes();
  process.kill(pidOf(first), 'SIGKILL');
  const second = await waitFor('the second start', async () => (await notes())[1]);
  assert.notEqual(pidOf(second), pidOf(first));
  await supervised.drain(10_000);
  assert.equal((await notes())[2], `drained ${pidOf(second)}`);
  assert.equal(isAlive(pidOf(second)), false);
});

test('a child is restarted until its process can be made again', async () => {
  const supervised = await start('well');
  const [first] = await notes();
  const execPath = process.execPath;
  let tries = 0;
  Object.defineProperty(process, 'execPath', {
    configurable: true,
    get: () => (tries++ === 0 ? '/not/there' : execPath),
  });
  process.kill(pidOf(first), 'SIGKILL');
  await waitFor('the second start', async () => (await notes())[1]);
  Object.defineProperty(process, 'execPath', { configurable: true, writable: true, value: execPath });
  assert.ok(tries > 1);
  await supervised.drain(10_000);
});

test('a child whose restart finds a newer database is not restarted again, and its reason is reported once', async () => {
  const supervised = await start('outdated');
  const [first] = await notes();
  process.kill(pidOf(first), 'SIGKILL');
  await waitFor('the final failure', async () => finalFailures.length > 0);
  await delay(1500); // longer than the pause before a restart
  assert.deepEqual(finalFailures, ['a newer database']);
  assert.doesNotMatch(await readFile(`${notesFile}.log`, 'utf8'), /a newer database/);
  await supervised.drain(10_000);
});

test('a failed first start has the reason of the child', async () => {
  await assert.rejects(start('broken'), (error: Error) => {
    assert.ok(error instanceof ChildError);
    assert.equal(error.message, 'PORT 1 is in use');
    return true;
  });
  assert.match(await readFile(`${notesFile}.log`, 'utf8'), /"PORT 1 is in use".*"could not start"/);
});

test('a child logs an unhandled rejection and ends', async () => {
  await assert.rejects(start('crashes'), { message: 'it ended with 1' });
  assert.match(
    await readFile(`${notesFile}.log`, 'utf8'),
    /"nobody awaits this".*"unexpected failure, the process ends"/,
  );
});

test('a child that ends without a reason before it is ready fails the start with its exit code or signal', async () => {
  await assert.rejects(start('exits'), { message: 'it ended with 3' });
  await assert.rejects(start('killed'), { message: 'it ended with SIGKILL' });
});

test('a child that does not drain in time is killed', async () => {
  const supervised = await start('stuck');
  const [first] = await notes();
  await supervised.drain(50);
  assert.equal(isAlive(pidOf(first)), false);
  assert.equal((await notes()).length, 1);
});

test('a child ends when its supervisor is killed', async () => {
  const holder = fork(fileURLToPath(new URL('supervisor-holder.ts', support)), [], {
    env: { ...process.env, NOTES: notesFile, BEHAVIOUR: 'well' },
  });
  await once(holder, 'message');
  const [first] = await notes();
  holder.kill('SIGKILL');
  await waitFor('the end of the child', async () => !isAlive(pidOf(first)));
});

test('a child whose environment cannot be made is ended', async () => {
  await assert.rejects(start('well', Promise.reject(new Error('no database'))), {
    message: 'it ended with SIGTERM',
  });
});

test('a child ends when its supervisor ends before it sends the environment', async () => {
  const child = fork(fileURLToPath(module), [], { stdio: ['pipe', 'ignore', 'ignore', 'ipc'] });
  child.disconnect();
  child.stdin?.end();
  const [code] = await once(child, 'exit');
  assert.equal(code, 1);
});
