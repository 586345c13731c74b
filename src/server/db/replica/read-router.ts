import type { Log } from '#server/runtime/log.ts';
import { isDatabaseFailure } from '../connection/connection.ts';
import { type Addresses, openPool } from '../connection/open-pool.ts';
import type { Db } from '../db.ts';
import { ReadReplica } from './read-replica.ts';

/** A heavy read takes up to three, a heavy write one. One company, with two of each, leaves four for others. */
const connections = 12;
const statementTimedOut = '57014';

/** A server for a read: a connection pool, and the connection string for threads. */
export type ReadServer = { db: Db; url: string };

/** Chooses the server of each read that costs the database something: the replica if there is one, or the primary. */
export class ReadRouter {
  /** The primary, with connections of its own, so that cheap calls do not wait for those of heavy reads. */
  readonly primary: ReadServer;
  readonly replica: ReadReplica | undefined;
  /** The number of reads that ended, by the server that answered. */
  readonly counts = { primary: 0, replica: 0 };
  readonly #log: Log;

  constructor(primary: Addresses & { db: Db }, readUrl?: string) {
    const { db, databaseUrl, log } = primary;
    this.primary = { db: openPool(primary, connections), url: databaseUrl };
    this.replica = readUrl === undefined ? undefined : new ReadReplica(readUrl, db, log);
    this.#log = log;
  }

  /**
   * Runs a read on the replica, once it has everything that was committed before this call, or else on the primary.
   * @param read must not write; called again with the primary if the replica fails
   */
  async run<T>(read: (server: ReadServer) => Promise<T>): Promise<T> {
    const { replica, primary } = this;
    // If the primary cannot be asked for its position, the read fails there.
    const isCurrent = await replica?.catchUp().catch(() => false);
    if (!replica || !isCurrent) return this.#count('primary', read(primary));
    try {
      return await this.#count('replica', replica.run(read));
    } catch (error) {
      // The primary would not be faster.
      if (!isDatabaseFailure(error as Error) || (error as { code?: string }).code === statementTimedOut)
        throw error;
      this.#log.warn({ err: error }, 'a read failed on the replica and is repeated on the primary');
      return this.#count('primary', read(primary));
    }
  }

  async end(): Promise<void> {
    await this.replica?.end();
    await this.primary.db.end();
  }

  async #count<T>(server: keyof typeof this.counts, read: Promise<T>): Promise<T> {
    const result = await read;
    this.counts[server] += 1;
    return result;
  }
}
