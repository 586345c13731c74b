import { access, chmod, constants, mkdir } from 'node:fs/promises';
import { type Config, parseConfig } from '#server/runtime/config.ts';
import { createLog } from '#server/runtime/log.ts';
import { outliveOutput } from '#server/runtime/standard-error.ts';
import { StartError } from '#server/runtime/start-error.ts';
import { ownValue } from '#shared/own-value.ts';
import type { CommandOptions } from './processes/command-options.ts';
import { freeMemoryAfterStart } from './processes/free-memory.ts';
import { listenForStop, Stop, StopRequested } from './processes/stop.ts';

type Run = (options: CommandOptions) => Promise<void>;

type Command = {
  /** Loads the command's modules, without those of the others. */
  load(): Promise<Run>;
  environment?: NodeJS.ProcessEnv;
  /** Whether it runs until a stop is requested, so that a stop is no failure. */
  isService?: true;
  /** The state of its work if it breaks off, for commands that are no service. The answer to a COMMIT may be lost. */
  outcome?: string;
  /** Whether DATA_DIR must exist already. */
  needsData?: true;
};

const product = () => import('./processes/product.ts');
const backups = () => import('./backup/backup-commands.ts');

/** The demo has its own folder and the embedded database, and logs only problems. */
const demoEnvironment: NodeJS.ProcessEnv = {
  DATA_DIR: process.env.DATA_DIR || './data/demo',
  DATABASE_URL: '',
  DATABASE_DIRECT_URL: '',
  DATABASE_READ_URL: '',
  LOG_LEVEL: process.env.LOG_LEVEL || 'warn',
};

const commands: Record<string, Command> = {
  demo: {
    load: async () => (await import('./demo/demo.ts')).startDemo,
    environment: demoEnvironment,
    isService: true,
  },
  start: { load: async () => (await product()).startSides, isService: true },
  worker: { load: async () => (await product()).startWorker, isService: true },
  'rotate-secrets': {
    load: async () => (await import('./secrets/rotate-secrets.ts')).rotateSecrets,
    needsData: true,
    outcome: 'The rotation is not complete, run it again',
  },
  admin: {
    load: async () => (await import('./admin/admin-commands.ts')).runAdmin,
    needsData: true,
    outcome: 'It may not have been done, run it again',
  },
  backup: {
    load: async () => (await backups()).runBackup,
    needsData: true,
    outcome: 'The backup was not written',
  },
  restore: {
    load: async () => (await backups()).runRestore,
    outcome: 'The restore may not have been done, run it again',
  },
  'sources-check': {
    load: async () => (await import('./admin/check-sources.ts')).runSourcesCheck,
    needsData: true,
    outcome: 'The sources were not checked',
  },
};

const command = ownValue(commands, process.argv[2] ?? '');
if (!command) {
  console.error(`usage: node ${process.argv[1]} ${Object.keys(commands).join(' | ')}`);
  process.exit(2);
}
Object.assign(process.env, command.environment);
process.exit(await main(command));

/** Runs a command until a stop is requested. @returns the exit code */
async function main({ load, needsData, isService, outcome }: Command): Promise<number> {
  let config: Config;
  try {
    config = parseConfig(process.env);
  } catch (error) {
    if (!(error instanceof StartError)) throw error;
    console.error(error.message);
    return 1;
  }
  const log = createLog('main', config.LOG_LEVEL);
  if (isService) outliveOutput();
  const stop = new Stop();
  listenForStop(stop);
  let code = 0;
  try {
    if (!needsData) await makeDataDir(config.DATA_DIR);
    const run = await load();
    await run({ config, log, stop, args: process.argv.slice(3), print: (line) => console.log(line) });
    freeMemoryAfterStart();
    await stop.requested;
  } catch (error) {
    const isStop = error instanceof StopRequested;
    if (!isStop || !isService) code = 1;
    if (error instanceof StartError) console.error(error.message);
    else if (isStop && code) console.error('Stopped before anything was done.');
    else if (isFileError(error)) console.error(`A file cannot be used: ${error.message}`);
    else if (isDiskFull(error))
      console.error(`The disk is full: make room for DATA_DIR (${config.DATA_DIR})`);
    else if (outcome) {
      const { message, code: reason } = error as NodeJS.ErrnoException;
      // An address with several hosts fails without a message.
      console.error(`${outcome}: ${message || reason}`);
      log.debug({ err: error }, 'the command broke off');
    } else if (code) log.fatal({ err: error }, 'could not start');
  }
  await stop.closeAll((error) => log.error({ err: error }, 'could not be closed'));
  return code;
}

/** Returns whether the system refused a file or folder, which the message names. */
function isFileError(error: unknown): error is Error {
  return error instanceof Error && 'syscall' in error && 'path' in error;
}

/** Returns whether a disk is full. A failed write to an open file has ENOSPC but no path. */
function isDiskFull(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOSPC';
}

/**
 * Creates the data folder if it is missing, closed to other accounts. When created by root, others may enter it but not
 * list it, because the embedded database runs as another account.
 * @throws StartError naming DATA_DIR
 */
async function makeDataDir(folder: string): Promise<void> {
  try {
    const createdFolder = await mkdir(folder, { recursive: true });
    if (createdFolder) await chmod(folder, process.getuid?.() === 0 ? 0o711 : 0o700);
    await access(folder, constants.W_OK);
  } catch (error) {
    throw new StartError(`DATA_DIR takes a folder that this account may write: ${(error as Error).message}`);
  }
}
