import { once } from 'node:events';
import { Readable } from 'node:stream';
import { Worker } from 'node:worker_threads';
import { FairSlots, type SlotUser } from '#server/concurrency/fair-slots.ts';
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
/** How fast a file has to be taken: so many bytes in every stretch of time, and all of it before the deadline. */
export type Pace = { leastBytes: number; everyMs: number; deadlineMs: number };

/** 4 KB a second, a tenth of what a phone has in a poor network; its buffers let bytes go in lumps. */
const patientPace: Pace = { leastBytes: 480 * 1024, everyMs: 120_000, deadlineMs: 3_600_000 };
/** How long a reader waits in line: about as long as a large file takes to be made. */
const maxWaitMs = 30_000;
/** How long a thread that was told to end may take before it is ended. */
const leaveMs = 2_000;

/** Files of one kind, each written by a thread of its own, a few at a time. */
export class ThreadFiles<Job> {
  readonly #script: URL;
  readonly #slots: FairSlots;
  readonly #pace: Pace;

  /**
   * @param script the threads' module (see `writeThreadFile`)
   * @param concurrency each file holds a thread and its memory
   */
  constructor(script: URL, concurrency: number, pace = patientPace) {
    this.#script = script;
    this.#slots = new FairSlots({ concurrency, maxWaitMs });
    this.#pace = pace;
  }

  /**
   * Opens a file when its turn has come.
   * @param job what the thread is given as its `workerData`
   * @param reader whose share of the slots it uses
   * @param gone aborts when the reader has gone
   * @returns the stream, its first bytes made
   * @throws AppError 429 when no slot came free in time; what the thread met before, or the signal's reason
   */
  async open(job: Job, reader: SlotUser, gone: AbortSignal): Promise<Readable> {
    const giveBack = await this.#slots.take(reader, gone);
    const stream = openThreadFile(this.#script, job, this.#pace);
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
 * database connection; so does a reader that is too slow.
 */
function openThreadFile(script: URL, job: unknown, pace: Pace): Readable {
  const worker = new Worker(script, { workerData: job });
  const say = (message: ToFileThread) => worker.postMessage(message);
  let pushed = 0;
  let gone = false;
  const stream = new Readable({
    highWaterMark: bytesAhead,
    read() {
      say('next');
    },
    destroy(error, done) {
      stopWatching();
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
    else {
      pushed += message.chunk.byteLength;
      stream.push(message.chunk);
    }
  });
  worker.on('error', (error) => stream.destroy(error));
  worker.on('exit', () => {
    gone = true;
  });
  const stopWatching = watchPace(stream, () => pushed, pace);
  return stream;
}

/** Ends a stream whose reader is too slow. Who waits for the thread has nothing left to take, and is not. */
function watchPace(stream: Readable, pushed: () => number, pace: Pace): () => void {
  let takenBefore = 0;
  let leftBefore = 0;
  const watch = setInterval(() => {
    const left = stream.readableLength;
    const taken = pushed() - left;
    const slow = left > 0 && leftBefore > 0 && taken - takenBefore < pace.leastBytes;
    if (slow) stream.destroy(new Error('the file is taken too slowly'));
    takenBefore = taken;
    leftBefore = left;
  }, pace.everyMs);
  const deadline = setTimeout(
    () => stream.destroy(new Error('the file was not taken in the time allowed')),
    pace.deadlineMs,
  );
  return () => {
    clearInterval(watch);
    clearTimeout(deadline);
  };
}
