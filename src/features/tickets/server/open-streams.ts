import type { Caller } from '#server/caller.ts';
import { AppError } from '#server/errors.ts';
import { EventStream } from '#server/event-stream.ts';
import { m } from '#shared/texts/messages.js';

/** A stream costs some kilobytes and a connection. */
const mostPerUser = 500;
const mostInTotal = 2000;
/** The longest time that a timer takes. */
const longestTimerMs = 2_147_483_647;
const retryAfterSeconds = 15;

/** The streams of events that are open in this process, and whose they are; each ends with its session at the latest. */
export class OpenStreams {
  readonly #streams = new Map<EventStream, Caller>();

  /**
   * Opens a stream until the caller's session expires.
   * @throws AppError 429 when this user, or all together, have too many
   */
  open(caller: Caller, now: Date): EventStream {
    const own = [...this.#streams.values()].filter(({ id }) => id === caller.id).length;
    if (own >= mostPerUser || this.#streams.size >= mostInTotal) throw tooMany();
    const stream = new EventStream();
    this.#streams.set(stream, caller);
    const leftMs = caller.expiresAt * 1000 - now.getTime();
    const expiry = setTimeout(() => stream.end(), Math.min(leftMs, longestTimerMs));
    stream.once('close', () => {
      clearTimeout(expiry);
      this.#streams.delete(stream);
    });
    return stream;
  }

  /** Ends those of some callers, of all where nothing is said. */
  end(whose: (caller: Caller) => boolean = () => true): void {
    for (const [stream, caller] of this.#streams) if (whose(caller)) stream.end();
  }
}

function tooMany(): AppError {
  return new AppError(429, 'too_many_streams', (locale) => m.server_too_many_streams({}, { locale }), {
    retryAfterSeconds,
  });
}
