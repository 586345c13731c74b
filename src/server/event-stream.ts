import { Readable } from 'node:stream';
import type { FastifyReply } from 'fastify';

/** How often a stream says that it is still there: more often than proxies lose patience. */
const beatMs = 15_000;
/** What may wait for a reader beside what the network holds; one who leaves more unread is not reading. */
const mostUnread = 64 * 1024;
/** How long the last events may take to leave once a stream was ended. */
const leaveMs = 1000;

/** Server-sent events on their way to one reader. A reader who does not read is cut off, so that nothing piles up. */
export class EventStream extends Readable {
  readonly #beat: NodeJS.Timeout;
  #isEnded = false;

  constructor() {
    super({ highWaterMark: mostUnread });
    this.#beat = setInterval(() => this.send(': still here\n\n'), beatMs);
    // The answer's head goes out with its first bytes.
    this.send(': open\n\n');
  }

  /** Sends an event, or a comment, that was written down by `writeEvent` or in its form. */
  send(event: string): void {
    if (this.#isEnded || this.destroyed) return;
    this.push(event);
    if (this.readableLength > mostUnread) this.destroy();
  }

  /** Ends the stream after what was sent. */
  end(): void {
    clearInterval(this.#beat);
    if (this.#isEnded || this.destroyed) return;
    this.#isEnded = true;
    this.push(null);
    this.emit('ended');
  }

  override _read(): void {
    // What is sent comes by itself.
  }

  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    clearInterval(this.#beat);
    done(error);
  }
}

/** One event as it is sent; `data` is JSON without line breaks. */
export function writeEvent(name: string, data: string): string {
  return `event: ${name}\ndata: ${data}\n\n`;
}

/** Answers with a stream of events. */
export function sendEvents(reply: FastifyReply, stream: EventStream): FastifyReply {
  const { raw } = reply;
  stream.once('ended', () => {
    // A reader who does not take the end would hold up the end of the process.
    const impatience = setTimeout(() => raw.destroy(), leaveMs);
    raw.once('close', () => clearTimeout(impatience));
  });
  return reply
    .type('text/event-stream; charset=utf-8')
    .header('cache-control', 'no-store, no-transform')
    .header('x-accel-buffering', 'no')
    .send(stream);
}
