// A thread of `ThreadFiles` whose file never ends.
import { setTimeout as delay } from 'node:timers/promises';
import { workerData } from 'node:worker_threads';
import { writeThreadFile } from '#server/threads/thread-file-writer.ts';

/** `restMs`: the pause before each chunk. */
export type EndlessFile = { restMs: number };

async function* chunks() {
  for (;;) {
    await delay((workerData as EndlessFile).restMs);
    yield Buffer.alloc(64 * 1024);
  }
}

writeThreadFile(chunks(), async () => undefined);
