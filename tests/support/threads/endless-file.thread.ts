// A thread of `ThreadFiles` whose file never ends.
import { setTimeout as delay } from 'node:timers/promises';
import { workerData } from 'node:worker_threads';
import { writeThreadFile } from '#server/threads/thread-file-writer.ts';

/** `restMs`: the pause before each chunk. `dies`: the thread ends after the first one. */
export type EndlessFile = { restMs: number; dies?: boolean };

const { restMs, dies } = workerData as EndlessFile;

async function* chunks() {
  for (;;) {
    await delay(restMs);
    yield Buffer.alloc(64 * 1024);
    if (dies) process.exit();
  }
}

writeThreadFile(chunks(), async () => undefined);
