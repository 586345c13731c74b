import { parentPort } from 'node:worker_threads';
import { packError } from './thread-error.ts';
import type { FromFileThread, ToFileThread } from './thread-file.ts';

/** Small chunks are joined, so that each message between threads is worth its price. */
const bytesAtOnce = 64 * 1024;

/**
 * The thread's side of `ThreadFiles`: hands a file over, chunk by chunk as it is asked for more.
 * @param leave closes what would keep the thread alive, once the file is complete or given up
 */
export function writeThreadFile(file: AsyncIterable<Uint8Array>, leave: () => Promise<void>): void {
  const port = parentPort;
  if (!port) throw new Error('this module runs as a thread');
  const chunks = joinChunks(file);
  const tell = (message: FromFileThread) =>
    port.postMessage(message, message.kind === 'chunk' ? [message.chunk.buffer] : []);
  const end = async () => {
    port.close();
    await leave();
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
  let kept: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of file) {
    kept.push(chunk);
    bytes += chunk.byteLength;
    if (bytes < bytesAtOnce) continue;
    yield join(kept, bytes);
    kept = [];
    bytes = 0;
  }
  if (bytes > 0) yield join(kept, bytes);
}

/** One array with memory of its own, which can be handed over to another thread. */
function join(chunks: Uint8Array[], bytes: number): Uint8Array<ArrayBuffer> {
  const joined = new Uint8Array(bytes);
  let at = 0;
  for (const chunk of chunks) {
    joined.set(chunk, at);
    at += chunk.byteLength;
  }
  return joined;
}
