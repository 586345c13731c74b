import { once } from 'node:events';
import { Readable } from 'node:stream';
import { Worker } from 'node:worker_threads';
import { Semaphore } from './semaphore.ts';
import { type ThreadError, unpackError } from './thread-error.ts';

/** What a thread that writes a file is told: send the next chunk; or end. */
export type ToFileThread = 'next' | 'stop';

/** What it tells: a chunk of the file, its end, or why there is none. */
export type FromFileThread =
  | { kind: 'chunk'; chunk: Uint8Array<ArrayBuffer> }
  | { kind: 'end' }
  | { kind: 'failed'; error: ThreadError };

/** Bytes kept ready for a reader that is slower than the thread. */
const bytesAhead = 1024 * 1024;
/** How long a reader may take nothing before the file is given up. */
const patienceMs = 120_000;
/** How long a thread that was told to end may take before it is ended. */
const leaveMs = 2_000;

/** Files of one kind, each written by a thread of its own, a few at a time. */
export class ThreadFiles<Job> {
  readonly #script: URL;
  readonly #semaphore: Semaphore;

  /**
   * @param script the threads' module (see `writeThreadFile`)
   * @param filesAtOnce each holds a thread and its memory
   */
  constructor(script: URL, filesAtOnce: number) {
    this.#script = script;
    this.#semaphore = new Semaphore(filesAtOnce);
  }

  /**
   * Opens a file when its turn has come.
   * @param job what the thread is given as its `workerData`
   * @param gone aborts when the reader has gone
   * @returns the stream, its first bytes made
   * @throws what the thread met before, or the signal's reason
   */
  async open(job: Job, gone: AbortSignal): Promise<Readable> {
    const giveBack = await this.#semaphore.take(gone);
    const stream = openThreadFile(this.#script, job);
    stream.once('close', giveBack);
    await once(stream, 'readable', { signal: gone }).catch((error: Error) => {
      stream.destroy();
      throw error;
    });
    return stream;
  }
}

/**
 * A file that a thread (see `writeThreadFile`) writes as it is read. Destroying the stream ends the thread and its
 * database connection; so does a reader that stalls.
 */
function openThreadFile(script: URL, job: unknown): Readable {
  const worker = new Worker(script, { workerData: job });
  const say = (message: ToFileThread) => worker.postMessage(message);
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
  worker.on('message', (message: FromFileThread) => {
    // A chunk that was under way when the reader left.
    if (stream.destroyed) return;
    if (message.kind === 'failed') stream.destroy(unpackError(message.error));
    else if (message.kind === 'end') stream.push(null);
    else if (!stream.push(message.chunk)) {
      stalled = setTimeout(() => stream.destroy(new Error('nobody takes the file')), patienceMs);
    }
  });
  worker.on('error', (error) => stream.destroy(error));
  worker.on('exit', () => {
    gone = true;
  });
  return stream;
}
