import { createFirstSuperadmin } from '#features/accounts/server/accounts.service.ts';
import { checkSources } from '#features/sources/server/configuration/sources-file.ts';
import { kinds } from '#features/sources/server/kinds/kinds.ts';
import { withDb } from '#server/db/connection/open-db.ts';
import type { Db } from '#server/db/db.ts';
import { fingerprintOf } from '#server/processes/fingerprint.ts';
import type { Config } from '#server/runtime/config.ts';
import type { Log } from '#server/runtime/log.ts';
import { openDatabase, requireReplica } from '../database.ts';
import { requireOpenableSecrets, resealSecrets } from '../secrets/reseal-secrets.ts';
import { readOrCreateSecret } from '../secrets/secret.ts';
import { provideSecretsKey } from '../secrets/secrets-key.ts';
import type { ProductOptions } from './command-options.ts';

/** A database that is ready, and the environment of the processes that use it. */
export type PreparedDatabase = { databaseUrl: string; env: NodeJS.ProcessEnv };

/**
 * Checks the sources and prepares the database for an API process and workers.
 * @param publicUrl the address if PUBLIC_URL is not set
 */
export async function prepareProduct(
  { config, log, stop, print, prepare }: ProductOptions,
  port: number,
  publicUrl: string,
): Promise<PreparedDatabase> {
  await requireSources(config, log);
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
    JWT_SECRET: config.JWT_SECRET ?? (await readOrCreateSecret(config.DATA_DIR, 'jwt-secret')),
    PORT: String(port),
    PUBLIC_URL: config.PUBLIC_URL ?? publicUrl,
  };
  return { databaseUrl, env };
}

/** Checks the sources and the database of the workers of another machine. */
export async function prepareWorkers({ config, log, stop }: ProductOptions): Promise<PreparedDatabase> {
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
  return { databaseUrl, env };
}

/** Seals stored secrets with the present key. Its failure is only logged. */
export async function sealSecrets(databaseUrl: string, log: Log): Promise<void> {
  await withDb(databaseUrl, log, resealSecrets).catch((error: unknown) =>
    log.error({ err: error }, 'stored secrets could not be sealed'),
  );
}

/**
 * Checks SOURCES_FILE before the database is started.
 * @throws ConfigError for a mistake
 */
async function requireSources(config: Config, log: Log): Promise<void> {
  const sources = await checkSources(config, kinds, process.env);
  if (sources.some(({ enabled }) => enabled)) return;
  log.warn(
    'SOURCES_FILE has no enabled source: rows wait until it enables one and all processes are restarted',
  );
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
