import { pino } from 'pino';

/** Pino's level of what only tells. */
const info = 30;
/** A pipe takes so many bytes as one piece: lines of several processes then stay apart. */
const mostBytes = 4096;
const gatherMs = 100;

/**
 * Where a log's lines go: those that only tell, such as each answer, are gathered for a moment and written together, since
 * every write costs as much as a small answer. What warns is written at once, behind all that came before; so is what was
 * gathered when the process ends, by itself or by a failure.
 */
export class GatheredLines {
  readonly #destination = pino.destination({ dest: 2, sync: true });
  /** Set by pino before each line. */
  lastLevel = 0;
  #lines = '';
  #bytes = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor() {
    Object.assign(this, { [Symbol.for('pino.metadata')]: true });
    process.on('exit', () => this.flushSync());
  }

  /** Takes one line, its line break included. */
  write(line: string): void {
    const bytes = Buffer.byteLength(line);
    if (this.#bytes + bytes > mostBytes) this.flushSync();
    this.#lines += line;
    this.#bytes += bytes;
    if (this.lastLevel > info) this.flushSync();
    else this.#timer ??= setTimeout(() => this.flushSync(), gatherMs).unref();
  }

  /** Writes what was gathered. */
  flushSync(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const lines = this.#lines;
    [this.#lines, this.#bytes] = ['', 0];
    if (lines) this.#destination.write(lines);
  }
}
