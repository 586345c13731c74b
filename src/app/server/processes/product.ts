import { setImmediate as immediate } from 'node:timers/promises';
import { ConfigError, oidcVariables, requireSharedSecret } from '#server/runtime/config.ts';
import { StartError } from '#server/runtime/start-error.ts';
import { claimPort, urlHost } from '../port.ts';
import type { CommandOptions, ProductOptions } from './command-options.ts';
import type { PreparedDatabase } from './prepare.ts';
import { type SupervisedProcess, superviseChild } from './supervisor.ts';

const modules = {
  api: new URL('./api-process.ts', import.meta.url),
  worker: new URL('./worker-process.ts', import.meta.url),
};
type Kind = keyof typeof modules;
const drainMs = { gently: 45_000, quickly: 300, replaced: 45_000 };

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
  options: ProductOptions,
  workers = workersOf(options.config),
): Promise<void> {
  const { config, log, stop, print } = options;
  requireSharedSecret(config);
  const port = await claimPort(config.HOST, config.PORT);
  const address = `http://${urlHost(config.HOST)}:${port}`;
  stop.check();
  const { databaseUrl } = await keepRunning(['api', ...workers], options, async () => {
    const { prepareProduct } = await import('./prepare.ts');
    return prepareProduct(options, port, address);
  });
  // Once the processes are registered, all of them have the same key.
  const { sealSecrets } = await import('./prepare.ts');
  await sealSecrets(databaseUrl, log);
  stop.check();
  print(`Coverdesk is ready at ${address}`);
}

/**
 * Starts the workers of another machine on a PostgreSQL server. Resolves when they are ready.
 * @throws ConfigError without DATABASE_URL
 */
export async function startWorker(options: ProductOptions): Promise<void> {
  const { config, stop, print } = options;
  if (!config.DATABASE_URL) {
    throw new ConfigError([
      'DATABASE_URL takes the URL of the PostgreSQL server that the worker shall serve',
    ]);
  }
  await keepRunning(workersOf(config), options, async () => {
    const { prepareWorkers } = await import('./prepare.ts');
    return prepareWorkers(options);
  });
  stop.check();
  print('Coverdesk worker is ready');
}

/**
 * Variables with secrets that only API processes need. Those of single sign-on are valid only together, so all of them are
 * removed.
 */
const apiSecrets = [
  'JWT_SECRET',
  'SMTP_URL',
  'METRICS_TOKEN',
  'BACKUP_KEY',
  'DATABASE_READ_URL',
  ...oidcVariables,
];

/** Returns the environment of a process, without secrets that it does not need. */
export function environmentOf(kind: Kind, env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const removed = ['ADMIN_PASSWORD', ...(kind === 'worker' ? apiSecrets : [])];
  return Object.fromEntries(Object.entries(env).filter(([variable]) => !removed.includes(variable)));
}

const workersOf = ({ WORKERS }: ProductOptions['config']) =>
  Array.from({ length: WORKERS }, () => 'worker' as const);

/**
 * Starts processes concurrently, and registers their concurrent drain. They load their modules, which takes most of their
 * start, while `prepare` makes the database ready.
 */
async function keepRunning(
  kinds: Kind[],
  { log, stop }: ProductOptions,
  prepare: () => Promise<PreparedDatabase>,
): Promise<PreparedDatabase> {
  // Loading modules blocks this process, so that the others are made first.
  const preparing = immediate().then(prepare);
  const children: SupervisedProcess[] = [];
  const starts = kinds.map(async (kind, index) => {
    const number = kinds.slice(0, index + 1).filter((other) => other === kind).length;
    const spec = {
      name: number > 1 ? `${kind} ${number}` : kind,
      module: modules[kind],
      env: environmentOf(kind, process.env),
      later: preparing.then(({ env }) => environmentOf(kind, env)),
    };
    children.push(await superviseChild(spec, log, (error) => stop.fail(error)));
  });
  const started = Promise.allSettled(starts);
  const prepared = await preparing;
  // Registered after the stop of the embedded database, so that they drain before it.
  stop.onStop(async (reason) => {
    await Promise.all(children.map((child) => child.drain(drainMs[reason], reason === 'replaced')));
  });
  const failed = (await started).find((start) => start.status === 'rejected');
  // Ctrl-C also ends a process that is still loading its modules.
  if (failed) stop.check();
  if (failed) throw failed.reason;
  return prepared;
}
