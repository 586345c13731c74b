// A thread of `ThreadTasks` that misbehaves as its task demands.
import { workerData } from 'node:worker_threads';
import { createThreadClient } from '#server/threads/thread-client.ts';
import { runThreadTask } from '#server/threads/thread-task-runner.ts';

/** `lock`: the advisory lock that the thread's open transaction holds. */
export type UnrulyTask = {
  does: 'throws in a callback' | 'never ends' | 'takes buffers' | 'answers';
  databaseUrl: string;
  lock: number;
};

const { does, databaseUrl, lock } = workerData as UnrulyTask;

runThreadTask<string, 'locked'>(async (tell) => {
  const client = createThreadClient(databaseUrl, 'unruly');
  await client.connect();
  await client.query('BEGIN');
  await client.query('SELECT pg_advisory_xact_lock($1)', [lock]);
  tell({ kind: 'progress', progress: 'locked' });
  if (does === 'answers') {
    tell({ kind: 'answer', answer: 'done' });
    await client.end();
    return;
  }
  const buffers: Buffer[] = [];
  setImmediate(() => {
    if (does === 'throws in a callback') throw new RangeError('a library that nobody can catch');
    for (;;) if (does === 'takes buffers' && buffers.length < 20) buffers.push(Buffer.alloc(16_000_000, 1));
  });
});
