import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { createTestDatabase, type TestDatabase } from '#tests/support/database/database.ts';
import type { UnrulyTask } from '#tests/support/threads/unruly.thread.ts';
import { waitFor } from '#tests/support/wait.ts';
import { TaskLimitError, ThreadTasks } from './thread-tasks.ts';

let database: TestDatabase;
before(async () => {
  database = await createTestDatabase();
});
after(() => database.close());

/** Each test has slots of its own. */
let made = 0;
const script = new URL('../../../tests/support/threads/unruly.thread.ts', import.meta.url);
const me = { id: 1, companyCode: 'ACM001', superadmin: false };
const makeTasks = (limits: { deadlineMs?: number; memoryMb?: number }) =>
  new ThreadTasks<UnrulyTask, string, 'locked'>(`tasks ${made++}`, script, {
    concurrency: 1,
    deadlineMs: 60_000,
    heapMb: 64,
    memoryMb: 500,
    ...limits,
  });
const stays = new AbortController().signal;
const lock = 4711;
const taskOf = (does: UnrulyTask['does']): UnrulyTask => ({ does, databaseUrl: database.url, lock });

/** Checks that the thread's transaction has ended, and that its slot is free. */
async function assertFreed(tasks: ReturnType<typeof makeTasks>) {
  await waitFor('the transaction to end', async () => {
    const { rows } = await database.pool.query<{ free: boolean }>(
      'SELECT pg_try_advisory_xact_lock($1) AS free',
      [lock],
    );
    return rows[0]?.free;
  });
  assert.equal(await tasks.run(database.db, taskOf('answers'), me, stays, () => undefined), 'done');
}

test('a thread that cannot start fails only its own task, and its slot is released', async () => {
  const tasks = makeTasks({});
  // Data with a function cannot be sent to a thread.
  const unsendable: UnrulyTask = Object.assign(taskOf('answers'), { of: () => undefined });
  const running = tasks.run(database.db, unsendable, me, stays, () => undefined);
  await assert.rejects(running, { name: 'DataCloneError' });
  await assertFreed(tasks);
});

test('an uncaught error in a library’s callback fails only its own task', async () => {
  const tasks = makeTasks({});
  const running = tasks.run(database.db, taskOf('throws in a callback'), me, stays, () => undefined);
  await assert.rejects(running, { message: 'a library that nobody can catch' });
  await assertFreed(tasks);
});

test('a thread that takes too long is terminated, and its slot and transaction end', async () => {
  // If a busy machine is too slow for the threads to start or answer, both get a longer deadline.
  for (const deadlineMs of [2_000, 8_000, 32_000]) {
    const tasks = makeTasks({ deadlineMs });
    let locked = false;
    const running = tasks.run(database.db, taskOf('never ends'), me, stays, () => {
      locked = true;
    });
    await assert.rejects(running, new TaskLimitError('time'));
    if (!locked) continue;
    const freed = await assertFreed(tasks).then(
      () => true,
      (error: unknown) => {
        if (!(error instanceof TaskLimitError)) throw error;
        return false;
      },
    );
    if (freed) return;
  }
  assert.fail('no thread began and answered within 32 s');
});

test('a thread that takes too much memory outside of its heap is terminated', async () => {
  const tasks = makeTasks({ memoryMb: 200 });
  const running = tasks.run(database.db, taskOf('takes buffers'), me, stays, () => undefined);
  await assert.rejects(running, new TaskLimitError('memory'));
  await assertFreed(tasks);
});

test('the thread is terminated when the caller disconnects', async () => {
  const tasks = makeTasks({});
  const gone = new AbortController();
  const running = tasks.run(database.db, taskOf('never ends'), me, gone.signal, () =>
    gone.abort(new Error('gone')),
  );
  await assert.rejects(running, { message: 'gone' });
  await assertFreed(tasks);
});
