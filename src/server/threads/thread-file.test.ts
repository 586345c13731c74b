import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { Readable } from 'node:stream';
import { after, before, test } from 'node:test';
import type { Db } from '#server/db/db.ts';
import { ReadRouter, type ReadServer } from '#server/db/replica/read-router.ts';
import { createLog } from '#server/runtime/log.ts';
import { createTestDatabase, type TestDatabase } from '#tests/support/database/database.ts';
import type { EndlessFile } from '#tests/support/threads/endless-file.thread.ts';
import { ThreadFiles } from './thread-file.ts';

let database: TestDatabase;
let context: { db: Db; readRouter: ReadRouter };
before(async () => {
  database = await createTestDatabase();
  const { db, url: databaseUrl } = database;
  context = { db, readRouter: new ReadRouter({ db, databaseUrl, log: createLog('test', 'silent') }) };
});
after(async () => {
  await context.readRouter.end();
  await database.close();
});

/** Each test has slots of its own. */
let made = 0;
const script = new URL('../../../tests/support/threads/endless-file.thread.ts', import.meta.url);
const patient = { minBytes: 1, everyMs: 600_000, deadlineMs: 600_000 };
const makeFiles = (pace: Partial<typeof patient>) =>
  new ThreadFiles<EndlessFile>(`files ${made++}`, script, 4, { ...patient, ...pace });
const stays = new AbortController().signal;
/** Creates a user with their own company. */
const userOf = (id: number) => ({ id, companyCode: `ACM00${id}`, superadmin: false });
const me = userOf(1);
const fast = { restMs: 0 };

/** Returns the error that ended a stream. */
async function endOf(stream: Readable): Promise<string> {
  const [error] = (await once(stream, 'error')) as [Error];
  return error.message;
}

test('one company gets half of the slots, and one user half of those', async () => {
  const files = makeFiles({});
  const first = await files.open(context, fast, me, stays);
  let opened = false;
  const second = files.open(context, fast, me, stays).then((stream) => {
    opened = true;
    return stream;
  });
  const gone = new AbortController();
  const impatient = files.open(context, fast, me, gone.signal);
  gone.abort(new Error('gone'));
  await assert.rejects(impatient, { message: 'gone' });
  const colleague = { ...me, id: 2 };
  const others = await Promise.all(
    [colleague, userOf(3), userOf(4)].map((user) => files.open(context, fast, user, stays)),
  );
  assert.equal(opened, false);
  first.destroy();
  // All four slots are taken: the second user has the slot of the first, and another user waits.
  for (const stream of [await second, ...others]) stream.destroy();
  (await files.open(context, fast, me, stays)).destroy();
});

test('nothing is begun for a reader without a slot, and a failed begin releases the slot', async () => {
  const files = makeFiles({});
  const begun: string[] = [];
  const begin = (name: string) => async () => {
    begun.push(name);
  };
  const first = await files.open(context, fast, me, stays, begin('first'));
  const gone = new AbortController();
  const second = files.open(context, fast, me, gone.signal, begin('second'));
  gone.abort(new Error('gone'));
  await assert.rejects(second, { message: 'gone' });
  first.destroy();
  const failed = files.open(context, fast, me, stays, () => Promise.reject(new Error('not recorded')));
  await assert.rejects(failed, { message: 'not recorded' });
  (await files.open(context, fast, me, stays, begin('third'))).destroy();
  assert.deepEqual(begun, ['first', 'third']);
});

test('the slot is released when a thread cannot start', async () => {
  const files = makeFiles({});
  // Data with a function cannot be sent to a thread. One user has one slot.
  const unsendable: EndlessFile = Object.assign({ ...fast }, { of: () => undefined });
  await assert.rejects(files.open(context, unsendable, me, stays), { name: 'DataCloneError' });
  (await files.open(context, fast, me, AbortSignal.timeout(60_000))).destroy();
});

test('the slot is released when a reader disconnects before the first bytes are ready', async () => {
  const files = makeFiles({});
  for (let n = 1; n <= 2; n++) {
    const gone = new AbortController();
    const opened = files.open(context, fast, me, gone.signal);
    await new Promise((resolve) => setImmediate(resolve));
    gone.abort(new Error('gone'));
    // If the thread was faster, its file is opened and destroyed.
    await opened.then(
      (stream) => stream.destroy(),
      () => undefined,
    );
  }
  (await files.open(context, fast, me, AbortSignal.timeout(60_000))).destroy();
});

test('the slot is released when a reader is too slow or exceeds the deadline', async () => {
  const pace = { minBytes: 64 * 1024, everyMs: 500 };
  const held = await makeFiles(pace).open(context, fast, me, stays);
  assert.equal(await endOf(held), 'the file is read too slowly');

  const trickled = await makeFiles(pace).open(context, fast, me, stays);
  const trickle = setInterval(() => trickled.read(100), 20);
  assert.equal(await endOf(trickled), 'the file is read too slowly');
  clearInterval(trickle);

  // On a slow machine the deadline may pass before the first bytes are ready.
  const endless = makeFiles({ deadlineMs: 1_000 }).open(context, fast, me, stays);
  const end = await endless.then(
    (stream) => endOf(stream.resume()),
    (error: Error) => error.message,
  );
  assert.equal(end, 'the file was not read before the deadline');
});

test('a file whose thread ends before it fails', { timeout: 60_000 }, async () => {
  const stream = await makeFiles({}).open(context, { ...fast, dies: true }, me, stays);
  assert.equal(await endOf(stream.resume()), 'the thread ended before its file');
});

/** A router whose replica is lost while it reads. */
class LosingRouter extends ReadRouter {
  lost: Promise<unknown> | undefined;
  override run<T>(read: (server: ReadServer) => Promise<T>): Promise<T> {
    this.lost = read(this.primary).catch((error: Error) => error.message);
    return read(this.primary);
  }
}

test('a file whose replica is lost before the first bytes leaves no second thread', {
  timeout: 60_000,
}, async () => {
  const { db, url: databaseUrl } = database;
  const readRouter = new LosingRouter({ db, databaseUrl, log: createLog('test', 'silent') });
  const stream = await makeFiles({}).open({ db, readRouter }, { restMs: 100 }, me, stays);
  assert.equal(await readRouter.lost, 'the read replica is lost');
  stream.destroy();
  await readRouter.end();
});

test('a file that fails while nobody listens does not end the process', { timeout: 60_000 }, async () => {
  const stream = await makeFiles({}).open(context, { ...fast, dies: true }, me, stays);
  const closed = new Promise((resolve) => stream.on('close', resolve));
  stream.resume();
  await closed;
  assert.equal(stream.errored?.message, 'the thread ended before its file');
});

test('a reader that waits for a slow thread does not count as slow', async () => {
  const pace = { minBytes: 1024 * 1024, everyMs: 150, deadlineMs: 3_000 };
  const opening = makeFiles(pace).open(context, { restMs: 100 }, me, stays);
  const end = await opening.then(
    (stream) => endOf(stream.resume()),
    (error: Error) => error.message,
  );
  assert.equal(end, 'the file was not read before the deadline');
});
