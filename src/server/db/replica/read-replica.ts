import { setTimeout as delay } from 'node:timers/promises';
import { Loop } from '#server/concurrency/loop.ts';
import type { Log } from '#server/runtime/log.ts';
import { ConnectionLost } from '../connection/connection.ts';
import { deadlines, openDb } from '../connection/open-db.ts';
import type { Db } from '../db.ts';
import { compareReplica } from './examine-replica.ts';
import { hasReplayed, identifyServer, readFlushedPosition } from './replica.queries.ts';

const connections = 8; // a heavy read takes up to three; writes are not for the replica
const checkIntervalMs = 2000;
const maxWaitMs = 200; // a reader hardly notices it
const pollIntervalMs = 5; // replay is usually a few milliseconds behind
/** After a read has waited in vain, the next ones do not wait for this long. */
const restMs = 5000;

/** The use of a replica by this process: for reads, not now because it is behind the primary, or not because it is lost. */
export type ReplicaState = 'used' | 'behind' | 'lost';

/** The streaming replica of DATABASE_READ_URL, watched by this process. */
export class ReadReplica {
  readonly url: string;
  readonly #db: Db;
  /** A connection of its own, so that busy reads do not delay a check. */
  readonly #watch: Db;
  readonly #primary: Db;
  readonly #log: Log;
  readonly #loop: Loop;
  /** Undefined before the first check. */
  #isFound: boolean | undefined;
  #restUntil = 0;
  #lagBytes: number | null = null;
  readonly #running = new Set<(error: Error) => void>();

  /** @param primary asked for its position */
  constructor(url: string, primary: Db, log: Log) {
    this.url = url;
    this.#db = openDb(url, log, connections);
    this.#watch = openDb(url, log, 1, deadlines.readiness);
    this.#primary = primary;
    this.#log = log;
    this.#loop = new Loop(() => this.#check(), {
      pauseMs: () => checkIntervalMs,
      onFailure: (error) => this.#lose(error as Error),
    });
    this.#loop.wake();
  }

  /** Returns the state, and how many bytes of WAL the replica had not replayed at the last check; null while it is lost. */
  status(): { state: ReplicaState; lagBytes: number | null } {
    if (!this.#isFound) return { state: 'lost', lagBytes: null };
    return { state: performance.now() < this.#restUntil ? 'behind' : 'used', lagBytes: this.#lagBytes };
  }

  /**
   * Waits up to `maxWaitMs` until the replica has everything that was committed before this call, whichever process
   * committed it.
   * @returns false if it takes longer, or the replica is lost
   */
  async catchUp(): Promise<boolean> {
    if (this.status().state !== 'used') return false;
    const { position } = await readFlushedPosition.one(this.#primary);
    const deadline = performance.now() + maxWaitMs;
    const replay = this.#waitForReplay(position, deadline).catch((error: Error) => {
      this.#lose(error);
      return false;
    });
    // A silent replica would answer only at the statement timeout.
    const isReached = await Promise.race([replay, delay(maxWaitMs, false)]);
    if (!isReached) this.#restUntil = performance.now() + restMs;
    return isReached;
  }

  /** Runs a read. Rejects as soon as the replica is lost, although a statement may still wait for it. */
  async run<T>(read: (server: { db: Db; url: string }) => Promise<T>): Promise<T> {
    const lost = Promise.withResolvers<never>();
    this.#running.add(lost.reject);
    try {
      return await Promise.race([read({ db: this.#db, url: this.url }), lost.promise]);
    } finally {
      this.#running.delete(lost.reject);
    }
  }

  async end(): Promise<void> {
    await this.#loop.stop();
    await Promise.all([this.#db.end(), this.#watch.end()]);
  }

  async #waitForReplay(position: number, deadline: number): Promise<boolean> {
    while (!(await hasReplayed.one(this.#watch, { position })).is_reached) {
      if (performance.now() > deadline) return false;
      await delay(pollIntervalMs);
    }
    return true;
  }

  async #check(): Promise<void> {
    // Without the primary, nothing is known about the replica.
    const primary = await identifyServer.one(this.#primary).catch(() => undefined);
    if (!primary) return;
    const examined = compareReplica(primary, await identifyServer.one(this.#watch));
    if ('reason' in examined) throw new Error(examined.reason);
    this.#lagBytes = examined.lagBytes;
    if (this.#isFound === false) this.#log.info('the read replica is back');
    this.#isFound = true;
  }

  #lose(error: Error): void {
    if (this.#isFound !== false)
      this.#log.warn({ err: error }, 'the read replica is lost: reads go to the primary');
    this.#isFound = false;
    const lost = new ConnectionLost('the read replica is lost', { cause: error });
    for (const reject of this.#running) reject(lost);
  }
}
