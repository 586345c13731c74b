import type pg from 'pg';
import type { Copy } from './copy-into.ts';

/** Some 5,000 rows, which the database writes within 100 ms. */
const bytesAtOnce = 256 * 1024;

/**
 * Inserts rows on one connection by many short COPYs, so that each has the deadline of any other statement. The
 * database writes them while the caller makes the next ones.
 */
export class RowWriter {
  readonly #tx: pg.ClientBase;
  readonly #waiting = new Map<Copy, Buffer[]>();
  #bytes = 0;
  #written = Promise.resolve();

  constructor(tx: pg.ClientBase) {
    this.#tx = tx;
  }

  /**
   * Takes rows to be inserted.
   * @throws why rows before these could not be inserted
   */
  async add(copy: Copy, lines: string): Promise<void> {
    if (lines === '') return;
    // Outside of the thread's heap, which the collector would otherwise copy.
    const bytes = Buffer.from(lines);
    this.#waiting.set(copy, [...(this.#waiting.get(copy) ?? []), bytes]);
    this.#bytes += bytes.length;
    if (this.#bytes >= bytesAtOnce) await this.#write();
  }

  /** Waits until all rows are inserted. */
  async end(): Promise<void> {
    await this.#write();
    await this.#written;
  }

  async #write(): Promise<void> {
    await this.#written;
    const batch = [...this.#waiting];
    this.#waiting.clear();
    this.#bytes = 0;
    this.#written = this.#insert(batch);
    // The next `await` throws its failure; until then it must not count as unhandled.
    this.#written.catch(() => undefined);
  }

  async #insert(batch: [copy: Copy, lines: Buffer[]][]): Promise<void> {
    for (const [copy, lines] of batch) await copy(this.#tx, Buffer.concat(lines));
  }
}
