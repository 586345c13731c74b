import type { Db } from '#server/db/db.ts';
import type { ReadRouter } from '#server/db/replica/read-router.ts';
import type { Config } from './config.ts';
import type { Log } from './log.ts';

/** The dependencies of every feature's server side. */
export type Context = {
  config: Config;
  db: Db;
  /** Chooses the server of reads that cost the database something. */
  readRouter: ReadRouter;
  log: Log;
  /** The secret of session tokens (UTF-8 bytes of the text). */
  jwtSecret: string;
  /** The connection string of the database server, for threads and for what needs a session. */
  databaseUrl: string;
  /** The connection string of the pooler through which `db` leads, if there is one. */
  poolerUrl?: string | undefined;
  /** The base of links in mails, without a trailing slash. */
  publicUrl: string;
  /** Returns the current time. Tests replace it. */
  now(): Date;
};
