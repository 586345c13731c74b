import type { Db } from '#server/db/db.ts';
import type { Config } from './config.ts';
import type { Log } from './log.ts';

/** What every feature's server side is given. */
export type Context = {
  config: Config;
  db: Db;
  log: Log;
  /** Signs session tokens (UTF-8 bytes of the text). */
  jwtSecret: string;
  /** The connection string behind `db`, for threads that open their own connection. */
  databaseUrl: string;
  /** Where links of mails point; no trailing slash. */
  publicUrl: string;
  /** The present instant; tests replace it. */
  now(): Date;
};
