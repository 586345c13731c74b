import { setTimeout as delay } from 'node:timers/promises';
import type { Db } from '#server/db/db.ts';
import type { Log } from '#server/runtime/log.ts';
import { analyzeSerials } from './serials-analysis.queries.ts';

/** Ten minutes of maintenance by others; then autovacuum has to notice the new rows. */
const attempts = 60;
const pauseMs = 10_000;

/**
 * Lets the planner know of imported rows: without that a batch of lookups scans its whole ticket. One analysis runs at a
 * time, for all imports that ended before it began.
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

  /** Has an analysis begin after now. */
  request(): void {
    this.#isDue = true;
    this.#running ??= this.#run().finally(() => {
      this.#running = undefined;
    });
  }

  /** Lets the analysis under way end, and begins no other. */
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
