import assert from 'node:assert/strict';
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, beforeEach, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { createLog } from '#server/log.ts';
import { waitFor } from '#tests/support/wait.ts';
import { ChildStartError, superviseChild } from './supervisor.ts';

const support = new URL('../../tests/support/', import.meta.url);
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

const start = (behaviour: string) =>
  superviseChild(
    {
      name: 'child',
      module: new URL('supervised-child.ts', support),
      env: { ...process.env, NOTES: notesFile, BEHAVIOUR: behaviour },
    },
    log,
  );
const notes = async () => (await readFile(notesFile, 'utf8')).trim().split('\n');
const pidOf = (note: string | undefined) => Number(note?.split(' ')[1]);
const isAlive = (pid: number) => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

test('a child that dies is started again, and drains when told', async () => {
  const supervised = await start('well');
  const [first] = await notes();
  process.kill(pidOf(first), 'SIGKILL');
  const second = await waitFor('the second start', async () => (await notes())[1]);
  assert.notEqual(pidOf(second), pidOf(first));
  await supervised.drain(10_000);
  assert.equal((await notes())[2], `drained ${pidOf(second)}`);
  assert.equal(isAlive(pidOf(second)), false);
});

test('the first failure ends the start with the reason of the child', async () => {
  await assert.rejects(start('broken'), (error: Error) => {
    assert.ok(error instanceof ChildStartError);
    assert.equal(error.message, 'PORT 1 is in use');
    return true;
  });
  assert.match(await readFile(`${notesFile}.log`, 'utf8'), /"PORT 1 is in use".*"could not start"/);
});

test('a child with a failure that nobody awaits logs it, and ends', async () => {
  await assert.rejects(start('crashes'), { message: 'it ended with 1' });
  assert.match(
    await readFile(`${notesFile}.log`, 'utf8'),
    /"nobody awaits this".*"unexpected failure, the process ends"/,
  );
});

test('a child that ends without a word before it is ready ends the start as well, with how it ended', async () => {
  await assert.rejects(start('exits'), { message: 'it ended with 3' });
  await assert.rejects(start('killed'), { message: 'it ended with SIGKILL' });
});

test('a child that does not finish is killed', async () => {
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
