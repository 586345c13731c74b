import { MigrationError } from '#server/db/migrations/migrate.ts';
import { DataDirVersionError } from '#server/postgres/cluster.ts';
import { DataDirInUseError } from '#server/postgres/folder-lock.ts';
import { type Config, ConfigError, parseConfig } from '#server/runtime/config.ts';
import { createLog } from '#server/runtime/log.ts';
import { SecretsKeyError } from '#server/vault/vault.ts';
import { makeDataDir } from './data-dir.ts';
import { demoEnvironment, startDemo } from './demo/demo.ts';
import { freeMemoryAfterStart } from './processes/free-memory.ts';
import { type ProductOptions, startProduct, startWorker } from './processes/product.ts';
import { listenForStop, Stop, StopRequested } from './processes/stop.ts';
import { ChildError } from './processes/supervisor.ts';
import { rotateSecrets } from './secrets/rotate-secrets.ts';
import { StartError } from './start-error.ts';

type Command = {
  start(options: ProductOptions): Promise<void>;
  environment?: NodeJS.ProcessEnv;
  /** Works on what there is, and makes no folder. */
  needsData?: true;
};

const commands: Record<string, Command> = {
  demo: { start: startDemo, environment: demoEnvironment },
  start: { start: startProduct },
  worker: { start: startWorker },
  'rotate-secrets': { start: rotateSecrets, needsData: true },
};

const expected = [
  ConfigError,
  MigrationError,
  DataDirInUseError,
  DataDirVersionError,
  StartError,
  SecretsKeyError,
  ChildError,
];

const command = commands[process.argv[2] ?? ''];
if (!command) {
  fail([`usage: node src/app/server/main.ts ${Object.keys(commands).join(' | ')}`]);
  process.exit(2);
}
Object.assign(process.env, command.environment);
process.exit(await main(command));

/** Runs a command until somebody asks for its end. @returns the exit code */
async function main({ start, needsData }: Command): Promise<number> {
  let config: Config;
  try {
    config = parseConfig(process.env);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    fail(error.problems);
    return 1;
  }
  const log = createLog('main', config.LOG_LEVEL);
  const stop = new Stop();
  listenForStop(stop);
  let code = 0;
  try {
    if (!needsData) await makeDataDir(config.DATA_DIR);
    await start({ config, log, stop, print: (line) => console.log(line) });
    freeMemoryAfterStart();
    await stop.requested;
  } catch (error) {
    if (!(error instanceof StopRequested)) code = 1;
    if (error instanceof ConfigError) fail(error.problems);
    else if (expected.some((kind) => error instanceof kind)) fail([(error as Error).message]);
    else if (code) log.fatal({ err: error }, 'could not start');
  }
  await stop.closeAll((error) => log.error({ err: error }, 'could not be closed'));
  return code;
}

/** Tells whoever started the product what to mend, a line each. */
function fail(lines: string[]): void {
  for (const line of lines) console.error(line);
}
