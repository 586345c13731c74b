import { Readable } from 'node:stream';
import { Worker } from 'node:worker_threads';
import type { ExportJob, FromThread, ToThread } from './export-job.ts';

const thread = new URL('./export.thread.ts', import.meta.url);

/** Bytes kept ready for a reader that is slower than the thread. */
const bytesAhead = 1024 * 1024;
/** How long a reader may take nothing before the export is given up. */
const patienceMs = 120_000;
/** How long a thread that was told to end may take before it is ended. */
const leaveMs = 2_000;

/**
 * The file of an export, written in a thread as it is read. Destroying the stream ends the thread and its database
 * connection; so does a reader that stalls.
 */
export function openExport(job: ExportJob): Readable {
  const worker = new Worker(thread, { workerData: job });
  const say = (message: ToThread) => worker.postMessage(message);
  let stalled: NodeJS.Timeout | undefined;
  let gone = false;
  const stream = new Readable({
    highWaterMark: bytesAhead,
    read() {
      clearTimeout(stalled);
      say('next');
    },
    destroy(error, done) {
      clearTimeout(stalled);
      if (!gone) {
        say('stop');
        const impatience = setTimeout(() => void worker.terminate(), leaveMs);
        worker.once('exit', () => clearTimeout(impatience));
      }
      done(error);
    },
  });
  worker.on('message', (message: FromThread) => {
    // A chunk that was under way when the reader left.
    if (stream.destroyed) return;
    if (message.kind === 'failed') stream.destroy(message.error);
    else if (message.kind === 'end') stream.push(null);
    else if (!stream.push(message.chunk)) {
      stalled = setTimeout(() => stream.destroy(new Error('nobody takes the export')), patienceMs);
    }
  });
  worker.on('error', (error) => stream.destroy(error));
  worker.on('exit', () => {
    gone = true;
  });
  return stream;
}
