import type { Db } from '#server/db/db.ts';
import type { ReadRouter } from '#server/db/replica/read-router.ts';
import type { Config } from './config.ts';
import type { Log } from './log.ts';

/** The dependencies of every feature's server side. */
export type Context = {
  config: Config;
  db: Db;
  /** Chooses the server for costly reads: the replica or the primary. */
  readRouter: ReadRouter;
  log: Log;
  /** The secret of session tokens (UTF-8 bytes of the text). */
  jwtSecret: string;
  /** The connection string of the database server, for threads and for work that needs a session. */
  databaseUrl: string;
  /** The connection string of the pooler that `db` uses, if there is one. */
  poolerUrl?: string | undefined;
  /** The base of links in mails, without a trailing slash. */
  publicUrl: string;
  /** Returns the current time. Tests replace it. */
  now(): Date;
};
