import type { Db } from '#server/db/db.ts';
import type { Config } from '#server/runtime/config.ts';
import type { Log } from '#server/runtime/log.ts';
import type { Stop } from './stop.ts';

/** The inputs of the commands that start processes of the product. */
export type ProductOptions = {
  config: Config;
  log: Log;
  stop: Stop;
  /** Prints a line to standard output. */
  print(line: string): void;
  /** Prepares the database after the first superadmin was created. */
  prepare?: ((db: Db) => Promise<void>) | undefined;
};

export type CommandOptions = ProductOptions & {
  /** The words of the command line after the command. */
  args: string[];
};
