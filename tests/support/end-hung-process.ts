// Loaded into every test process. The test runner reports a file that takes too long, but sends its process only a
// SIGTERM, which a process with an open handle survives: the whole run would wait for it.
import { isMainThread } from 'node:worker_threads';
import { maxProcessMs } from '../../scripts/check/max-process-ms.ts';

/** Time for the runner to report the file first. */
const graceMs = 10_000;

if (isMainThread) {
  setTimeout(() => process.kill(process.pid, 'SIGKILL'), maxProcessMs + graceMs).unref();
}
