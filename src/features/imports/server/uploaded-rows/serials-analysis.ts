import { setTimeout as delay } from 'node:timers/promises';
import type { Db } from '#server/db/db.ts';
import type { Log } from '#server/runtime/log.ts';
import { analyzeSerials } from './serials-analysis.queries.ts';

/** Attempts over ten minutes. After that, autovacuum must notice the new rows. */
const attempts = 60;
const pauseMs = 10_000;

/**
 * Updates the planner's statistics after imports, because a batch of lookups would scan its whole ticket otherwise. One
 * analysis runs at a time, for all imports that ended before it began.
 */
export class SerialsAnalysis {
  readonly #db: Db;
  readonly #log: Log;
  readonly #closing = new AbortController();
  #isDue = false;
  #running: Promise<void> | undefined;

  constructor(db: Db, log: Log) {
    this.#db = db;
    this.#log = log;
  }

  /** Requests an analysis that begins after this call. */
  request(): void {
    this.#isDue = true;
    this.#running ??= this.#run().finally(() => {
      this.#running = undefined;
    });
  }

  /** Waits for the running analysis, and begins no other. */
  async close(): Promise<void> {
    this.#closing.abort();
    await this.#running;
  }

  async #run(): Promise<void> {
    for (let failed = 0; this.#isDue && !this.#closing.signal.aborted; ) {
      this.#isDue = false;
      try {
        await analyzeSerials(this.#db);
        failed = 0;
      } catch (error) {
        failed += 1;
        if (failed === attempts) {
          this.#log.warn({ err: error }, 'imported rows could not be analysed');
          return;
        }
        this.#isDue = true;
        await delay(pauseMs, undefined, { signal: this.#closing.signal, ref: false }).catch(() => undefined);
      }
    }
  }
}
