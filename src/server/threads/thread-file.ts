import { once } from 'node:events';
import { Readable } from 'node:stream';
import { Worker } from 'node:worker_threads';
import type { SlotUser } from '#server/concurrency/fair-slots.ts';
import { SharedSlots } from '#server/concurrency/shared-slots.ts';
import type { Context } from '#server/runtime/context.ts';
import { type ThreadError, unpackError } from './thread-error.ts';

/** A message to a thread that writes a file: send the next chunk, or end. */
export type ToFileThread = 'next' | 'stop';

/** A message from that thread: a chunk, the end of the file, or an error. */
export type FromFileThread =
  | { kind: 'chunk'; chunk: Uint8Array<ArrayBuffer> }
  | { kind: 'end' }
  | { kind: 'failed'; error: ThreadError };

/** The `workerData` of a thread that writes a file: its job, and the connection string of the server to read from. */
export type ThreadFileData<Job> = Job & { readUrl: string };

const bufferBytes = 1024 * 1024;
/** The slowest accepted reader: at least `minBytes` in each interval, and the whole file within the deadline. */
export type Pace = { minBytes: number; everyMs: number; deadlineMs: number };

/** 4 KB/s, a tenth of a poor phone network. The interval is long, because buffers make bytes arrive in bursts. */
const defaultPace: Pace = { minBytes: 480 * 1024, everyMs: 120_000, deadlineMs: 3_600_000 };
const maxWaitMs = 30_000; // about the time to write a large file
/** How long a thread may take to end before it is terminated. */
const leaveMs = 2_000;

/** Files of one kind. Each is written by its own thread, a few at a time. */
export class ThreadFiles<Job> {
  readonly #script: URL;
  readonly #slots: SharedSlots;
  readonly #pace: Pace;

  /**
   * @param kind names the files, whose slots are counted over all API processes
   * @param script the module of the threads (see `writeThreadFile`)
   * @param concurrency the maximum number of open files, each with a thread
   */
  constructor(kind: string, script: URL, concurrency = 2, pace = defaultPace) {
    this.#script = script;
    this.#slots = new SharedSlots(kind, { concurrency, maxWaitMs });
    this.#pace = pace;
  }

  /**
   * Opens a file when a slot is free.
   * @param job the task of the thread, which may run twice: if the replica fails before the first bytes
   * @param reader the user whose slot it takes
   * @param signal aborts when the reader disconnects
   * @param begin called once a slot is free, for example to record the download; if it throws, no file is opened
   * @returns the stream, once its first bytes are ready
   * @throws AppError 429 if no slot is free in time; an early error of the thread; the signal's reason
   */
  async open(
    { db, readRouter }: Pick<Context, 'db' | 'readRouter'>,
    job: Job,
    reader: SlotUser,
    signal: AbortSignal,
    begin: () => Promise<void> = async () => undefined,
  ): Promise<Readable> {
    const giveBack = await this.#slots.take(db, reader, signal);
    try {
      await begin();
      let earlier: Readable | undefined;
      const stream = await readRouter.run(({ url }) => {
        // The second call comes from a router that no longer waits for the first one.
        earlier?.destroy(new Error('the read replica is lost'));
        earlier = openThreadFile(this.#script, { ...job, readUrl: url }, this.#pace);
        return untilReadable(earlier, signal);
      });
      if (stream.closed) giveBack();
      else stream.once('close', giveBack);
      return stream;
    } catch (error) {
      giveBack();
      throw error;
    }
  }
}

/** Returns the stream of a file once its first bytes are ready. */
async function untilReadable(stream: Readable, signal: AbortSignal): Promise<Readable> {
  await once(stream, 'readable', { signal }).catch((error: Error) => {
    stream.destroy();
    throw error;
  });
  return stream;
}

/**
 * Starts a thread that writes a file (see `writeThreadFile`), and returns the stream of its bytes. Destroying the stream
 * ends the thread and its database connection. A reader that is too slow destroys it as well.
 */
function openThreadFile<Job>(script: URL, workerData: ThreadFileData<Job>, pace: Pace): Readable {
  const worker = new Worker(script, { workerData });
  const send = (message: ToFileThread) => worker.postMessage(message);
  let pushed = 0;
  let isComplete = false;
  let hasExited = false;
  const stream = new Readable({
    highWaterMark: bufferBytes,
    read() {
      send('next');
    },
    destroy(error, done) {
      stopWatching();
      if (!hasExited) {
        send('stop');
        const timer = setTimeout(() => void worker.terminate(), leaveMs);
        worker.once('exit', () => clearTimeout(timer));
      }
      done(error);
    },
  });
  // It may fail while no reader listens, which would end the process.
  stream.on('error', () => undefined);
  worker.on('message', (message: FromFileThread) => {
    // A chunk that was sent before the reader disconnected.
    if (stream.destroyed) return;
    if (message.kind === 'failed') stream.destroy(unpackError(message.error));
    else if (message.kind === 'end') {
      isComplete = true;
      stream.push(null);
    } else {
      pushed += message.chunk.byteLength;
      stream.push(message.chunk);
    }
  });
  worker.on('error', (error) => stream.destroy(error));
  worker.on('exit', () => {
    hasExited = true;
    if (!isComplete) stream.destroy(new Error('the thread ended before its file'));
  });
  const stopWatching = watchPace(stream, () => pushed, pace);
  return stream;
}

/** Destroys a stream whose reader is too slow. A reader that waits for the thread does not count as slow. */
function watchPace(stream: Readable, pushed: () => number, pace: Pace): () => void {
  let readBefore = 0;
  let bufferedBefore = 0;
  const watch = setInterval(() => {
    const buffered = stream.readableLength;
    const readBytes = pushed() - buffered;
    const slow = buffered > 0 && bufferedBefore > 0 && readBytes - readBefore < pace.minBytes;
    if (slow) stream.destroy(new Error('the file is read too slowly'));
    readBefore = readBytes;
    bufferedBefore = buffered;
  }, pace.everyMs);
  const deadline = setTimeout(
    () => stream.destroy(new Error('the file was not read before the deadline')),
    pace.deadlineMs,
  );
  return () => {
    clearInterval(watch);
    clearTimeout(deadline);
  };
}
