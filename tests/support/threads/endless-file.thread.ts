// A thread as `ThreadFiles` runs them: a file that goes on for as long as somebody takes it.
import { setTimeout as delay } from 'node:timers/promises';
import { workerData } from 'node:worker_threads';
import { writeThreadFile } from '#server/threads/thread-file-writer.ts';

/** `restMs` before each chunk: how slow the making of the file is. */
export type EndlessFile = { restMs: number };

async function* chunks() {
  for (;;) {
    await delay((workerData as EndlessFile).restMs);
    yield Buffer.alloc(64 * 1024);
  }
}

writeThreadFile(chunks(), async () => undefined);
