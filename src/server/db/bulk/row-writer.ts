import type pg from 'pg';
import type { Copy } from './copy-into.ts';

const batchBytes = 1024 * 1024; // about 20,000 rows, which the database writes within 100 ms

/**
 * Inserts rows on one connection by many short COPYs, so that the statement timeout applies to each. The database
 * writes one batch while the caller makes the next.
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
   * Adds rows.
   * @throws the error of an earlier batch
   */
  async add(copy: Copy, lines: string): Promise<void> {
    if (lines === '') return;
    // A buffer, because the garbage collector would copy strings on the heap.
    const bytes = Buffer.from(lines);
    this.#waiting.set(copy, [...(this.#waiting.get(copy) ?? []), bytes]);
    this.#bytes += bytes.length;
    if (this.#bytes >= batchBytes) await this.#write();
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
    // The next `await` throws the error; until then it must not be an unhandled rejection.
    this.#written.catch(() => undefined);
  }

  async #insert(batch: [copy: Copy, lines: Buffer[]][]): Promise<void> {
    for (const [copy, lines] of batch) await copy(this.#tx, Buffer.concat(lines));
  }
}
