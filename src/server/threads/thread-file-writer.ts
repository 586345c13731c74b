import { parentPort } from 'node:worker_threads';
import { packError } from './thread-error.ts';
import type { FromFileThread, ToFileThread } from './thread-file.ts';

const messageBytes = 64 * 1024; // small chunks are joined, because each message between threads has a cost

/**
 * The thread's side of `ThreadFiles`. Sends the next chunk of a file at each request.
 * @param leave closes the thread's resources when the file is complete or abandoned
 */
export function writeThreadFile(file: AsyncIterable<Uint8Array>, leave: () => Promise<void>): void {
  const port = parentPort;
  if (!port) throw new Error('this module must run as a thread');
  const chunks = joinChunks(file);
  const tell = (message: FromFileThread) =>
    port.postMessage(message, message.kind === 'chunk' ? [message.chunk.buffer] : []);
  let leaving: Promise<void> | undefined;
  const end = () => {
    port.close();
    // Once, although a stop makes the statement that is running fail.
    leaving ??= leave();
    return leaving;
  };
  const sendNext = async () => {
    const { value, done } = await chunks.next();
    if (!done) return tell({ kind: 'chunk', chunk: value });
    tell({ kind: 'end' });
    await end();
  };
  port.on('message', (message: ToFileThread) => {
    if (message === 'stop') return end();
    sendNext().catch(async (error: unknown) => {
      tell({ kind: 'failed', error: packError(error) });
      await end();
    });
  });
}

async function* joinChunks(file: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  let pending: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of file) {
    pending.push(chunk);
    bytes += chunk.byteLength;
    if (bytes < messageBytes) continue;
    yield join(pending, bytes);
    pending = [];
    bytes = 0;
  }
  if (bytes > 0) yield join(pending, bytes);
}

/** Joins chunks into one array whose buffer can be transferred to another thread. */
function join(chunks: Uint8Array[], bytes: number): Uint8Array<ArrayBuffer> {
  const joined = new Uint8Array(bytes);
  let at = 0;
  for (const chunk of chunks) {
    joined.set(chunk, at);
    at += chunk.byteLength;
  }
  return joined;
}
