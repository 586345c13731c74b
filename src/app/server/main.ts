import { type Config, parseConfig } from '#server/runtime/config.ts';
import { createLog } from '#server/runtime/log.ts';
import { StartError } from '#server/runtime/start-error.ts';
import { ownValue } from '#shared/own-value.ts';
import { runAdmin } from './admin/admin-commands.ts';
import { runSourcesCheck } from './admin/check-sources.ts';
import { runBackup, runRestore } from './backup/backup-commands.ts';
import { makeDataDir } from './data-dir.ts';
import { demoEnvironment, startDemo } from './demo/demo.ts';
import { freeMemoryAfterStart } from './processes/free-memory.ts';
import { type CommandOptions, startSides, startWorker } from './processes/product.ts';
import { listenForStop, Stop, StopRequested } from './processes/stop.ts';
import { rotateSecrets } from './secrets/rotate-secrets.ts';

type Command = {
  start(options: CommandOptions): Promise<void>;
  environment?: NodeJS.ProcessEnv;
  /** Whether DATA_DIR must exist already. */
  needsData?: true;
};

const commands: Record<string, Command> = {
  demo: { start: startDemo, environment: demoEnvironment },
  start: { start: startSides },
  worker: { start: startWorker },
  'rotate-secrets': { start: rotateSecrets, needsData: true },
  admin: { start: runAdmin, needsData: true },
  backup: { start: runBackup, needsData: true },
  restore: { start: runRestore },
  'sources-check': { start: runSourcesCheck, needsData: true },
};

const command = ownValue(commands, process.argv[2] ?? '');
if (!command) {
  console.error(`usage: node src/app/server/main.ts ${Object.keys(commands).join(' | ')}`);
  process.exit(2);
}
Object.assign(process.env, command.environment);
process.exit(await main(command));

/** Runs a command until a stop is requested. @returns the exit code */
async function main({ start, needsData }: Command): Promise<number> {
  let config: Config;
  try {
    config = parseConfig(process.env);
  } catch (error) {
    if (!(error instanceof StartError)) throw error;
    console.error(error.message);
    return 1;
  }
  const log = createLog('main', config.LOG_LEVEL);
  const stop = new Stop();
  listenForStop(stop);
  let code = 0;
  try {
    if (!needsData) await makeDataDir(config.DATA_DIR);
    await start({ config, log, stop, args: process.argv.slice(3), print: (line) => console.log(line) });
    freeMemoryAfterStart();
    await stop.requested;
  } catch (error) {
    if (!(error instanceof StopRequested)) code = 1;
    if (error instanceof StartError) console.error(error.message);
    else if (isFileError(error)) console.error(`A file cannot be used: ${error.message}`);
    else if (code) log.fatal({ err: error }, 'could not start');
  }
  await stop.closeAll((error) => log.error({ err: error }, 'could not be closed'));
  return code;
}

/** Returns whether the system refused a file or folder, which the message names. */
function isFileError(error: unknown): error is Error {
  return error instanceof Error && 'syscall' in error && 'path' in error;
}
