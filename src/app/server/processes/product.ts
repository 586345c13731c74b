import { createFirstSuperadmin } from '#features/accounts/server/accounts.service.ts';
import { checkSources } from '#features/sources/server/configuration/sources-file.ts';
import { kinds } from '#features/sources/server/kinds/kinds.ts';
import { withDb } from '#server/db/connection/open-db.ts';
import type { Db } from '#server/db/db.ts';
import { fingerprintOf } from '#server/processes/fingerprint.ts';
import { type Config, ConfigError, requireSharedSecret } from '#server/runtime/config.ts';
import type { Log } from '#server/runtime/log.ts';
import { StartError } from '#server/runtime/start-error.ts';
import { openDatabase, requireReplica } from '../database.ts';
import { claimPort, urlHost } from '../port.ts';
import { requireOpenableSecrets, resealSecrets } from '../secrets/reseal-secrets.ts';
import { readOrMakeSecret } from '../secrets/secret.ts';
import { provideSecretsKey } from '../secrets/secrets-key.ts';
import type { Stop } from './stop.ts';
import { type Supervised, superviseChild } from './supervisor.ts';

const modules = {
  api: new URL('./api-process.ts', import.meta.url),
  worker: new URL('./worker-process.ts', import.meta.url),
};
type Kind = keyof typeof modules;
const drainMs = { gently: 45_000, quickly: 300, replaced: 45_000 };

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

/**
 * Starts the sides of the product that the command line names: `--api`, `--workers`, or both by default.
 * @throws StartError for other words
 */
export async function startSides(options: CommandOptions): Promise<void> {
  const sides = new Set(options.args);
  if ([...sides].some((word) => word !== '--api' && word !== '--workers')) {
    throw new StartError('usage: npm start | npm start -- --api | npm start -- --workers');
  }
  if (sides.size === 1 && sides.has('--workers')) await startWorker(options);
  else await startProduct(options, sides.size === 1 ? [] : workersOf(options.config));
}

/** Starts the API, the web app and workers of one machine. Resolves when they are ready. */
export async function startProduct(
  { config, log, stop, print, prepare }: ProductOptions,
  workers = workersOf(config),
): Promise<void> {
  requireSharedSecret(config);
  await requireSources(config, log);
  const port = await claimPort(config.HOST, config.PORT);
  const address = `http://${urlHost(config.HOST)}:${port}`;
  stop.check();
  const databaseUrl = await openDatabase(config, log, stop);
  await requireReplica(config, databaseUrl);
  stop.check();
  await provideSecretsKey(config);
  await withDb(databaseUrl, log, (db) => fillDatabase(db, { config, print, prepare }));
  stop.check();
  const env = {
    ...process.env,
    DATA_DIR: config.DATA_DIR,
    DATABASE_URL: config.DATABASE_URL ?? databaseUrl,
    JWT_SECRET: config.JWT_SECRET ?? (await readOrMakeSecret(config.DATA_DIR, 'jwt-secret')),
    PORT: String(port),
    PUBLIC_URL: config.PUBLIC_URL ?? address,
  };
  await keepRunning(['api', ...workers], env, log, stop);
  // Once the processes are registered, all of them have the same key.
  await withDb(databaseUrl, log, resealSecrets).catch((error: unknown) =>
    log.error({ err: error }, 'stored secrets could not be sealed'),
  );
  stop.check();
  print(`Coverdesk is ready at ${address}`);
}

/**
 * Starts the workers of another machine on a PostgreSQL server. Resolves when they are ready.
 * @throws ConfigError without DATABASE_URL
 */
export async function startWorker({ config, log, stop, print }: ProductOptions): Promise<void> {
  if (!config.DATABASE_URL) {
    throw new ConfigError([
      'DATABASE_URL takes the URL of the PostgreSQL server that the worker shall serve',
    ]);
  }
  await requireSources(config, log);
  const databaseUrl = await openDatabase(config, log, stop);
  stop.check();
  await provideSecretsKey(config);
  await withDb(databaseUrl, log, requireOpenableSecrets);
  const env = {
    ...process.env,
    DATA_DIR: config.DATA_DIR,
    DATABASE_URL: config.DATABASE_URL ?? databaseUrl,
    // Workers do not get the secret itself.
    ...(config.JWT_SECRET && {
      JWT_SECRET_FINGERPRINT: await fingerprintOf('JWT_SECRET', config.JWT_SECRET),
    }),
  };
  await keepRunning(workersOf(config), env, log, stop);
  stop.check();
  print('Coverdesk worker is ready');
}

/**
 * Checks SOURCES_FILE before anything is started.
 * @throws ConfigError for a mistake
 */
async function requireSources(config: Config, log: Log): Promise<void> {
  const sources = await checkSources(config, kinds, process.env);
  if (sources.some(({ enabled }) => enabled)) return;
  log.warn(
    'SOURCES_FILE has no enabled source: rows wait until it enables one and all processes are restarted',
  );
}

/** Variables with secrets that only API processes need. */
const apiSecrets = ['JWT_SECRET', 'SMTP_URL', 'METRICS_TOKEN', 'BACKUP_KEY', 'DATABASE_READ_URL'];

/** Returns the environment of a process, without secrets that it does not need. */
function environmentOf(kind: Kind, env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const removed = ['ADMIN_PASSWORD', ...(kind === 'worker' ? apiSecrets : [])];
  return Object.fromEntries(Object.entries(env).filter(([variable]) => !removed.includes(variable)));
}

const workersOf = ({ WORKERS }: ProductOptions['config']) =>
  Array.from({ length: WORKERS }, () => 'worker' as const);

/** Starts processes concurrently, and registers their concurrent drain. */
async function keepRunning(kinds: Kind[], env: NodeJS.ProcessEnv, log: Log, stop: Stop): Promise<void> {
  const children: Supervised[] = [];
  stop.onStop(async (reason) => {
    await Promise.all(children.map((child) => child.drain(drainMs[reason], reason === 'replaced')));
  });
  const starts = kinds.map(async (kind, index) => {
    const number = kinds.slice(0, index + 1).filter((other) => other === kind).length;
    const name = number > 1 ? `${kind} ${number}` : kind;
    const spec = { name, module: modules[kind], env: environmentOf(kind, env) };
    children.push(await superviseChild(spec, log, (error) => stop.fail(error)));
  });
  const failed = (await Promise.allSettled(starts)).find((start) => start.status === 'rejected');
  // Ctrl-C also ends a process that is still loading its modules.
  if (failed) stop.check();
  if (failed) throw failed.reason;
}

/**
 * Creates the first superadmin, and the data that the command needs.
 * @throws StartError if SECRETS_KEY does not open every stored secret
 */
async function fillDatabase(
  db: Db,
  { config, print, prepare }: Pick<ProductOptions, 'config' | 'print' | 'prepare'>,
): Promise<void> {
  await requireOpenableSecrets(db);
  const first = await createFirstSuperadmin(db, {
    email: config.ADMIN_EMAIL,
    password: config.ADMIN_PASSWORD,
  });
  if (first?.generatedPassword) print(`Superadmin: ${first.email} / ${first.generatedPassword}`);
  await prepare?.(db);
}
