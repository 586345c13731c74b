import type { Queryable } from '#server/db/db.ts';
import { fingerprintOf } from '#server/processes/fingerprint.ts';
import {
  type ProcessParts,
  type Registration,
  registerProcess,
  type Settings,
  SettingsError,
} from '#server/processes/process-registration.ts';
import { listServingProcesses, type Work } from '#server/processes/processes.queries.ts';
import type { Context } from '#server/runtime/context.ts';
import { findVault } from '#server/vault/vault.ts';
import { createSecrets } from './configuration/secrets.ts';
import { canonical } from './configuration/source-keys.ts';
import { type ConfiguredSource, loadSources } from './configuration/sources-file.ts';
import { kinds } from './kinds/kinds.ts';
import { findRealSources, storeRealSources } from './states/real-sources.queries.ts';

/**
 * Loads the sources and registers this process with them and with the keys that all processes on the database share.
 * @throws ConfigError for a mistake in SOURCES_FILE; SettingsError if a running process has other sources or keys, or if
 *   the sandbox may not serve the database
 */
export async function registerWithSources(
  kind: Settings['kind'],
  { config, db, log }: Pick<Context, 'config' | 'db' | 'log'>,
  env: Record<string, string | undefined>,
  abort: ProcessParts['abort'],
  describeWork?: () => Work,
): Promise<{ sources: ConfiguredSource[]; registration: Registration }> {
  const sources = await loadSources(config, kinds, env);
  const settings = await readSettings(kind, config, sources, env);
  const admit = (tx: Queryable) => admitSources(tx, sources, config.SOURCES_FILE === undefined);
  return { sources, registration: await registerProcess({ db, log, settings, admit, abort, describeWork }) };
}

/**
 * Refuses the sandbox where it would invent answers in place of real sources that are not running now.
 * @param isDefault whether SOURCES_FILE is not set
 */
async function admitSources(tx: Queryable, sources: ConfiguredSource[], isDefault: boolean): Promise<void> {
  const real = sources.filter(({ enabled, simulated }) => enabled && !simulated);
  if (real.length > 0) {
    await storeRealSources.run(tx, { names: real.map(({ name }) => name) });
  }
  const realSourceNames = isDefault ? (await findRealSources.first(tx))?.names : undefined;
  if (!realSourceNames) return;
  throw new SettingsError(
    `SOURCES_FILE is not set, but real sources (${realSourceNames.join(', ')}) have served this database, and the sandbox must not ` +
      'answer in their place. Set it to their file. To use the sandbox nevertheless, set it to a file that lists the sandbox.',
  );
}

/** Returns the settings that all processes share. A worker gets only the fingerprint of JWT_SECRET. */
async function readSettings(
  kind: Settings['kind'],
  config: Pick<Context['config'], 'APP_TIMEZONE'>,
  sources: ConfiguredSource[],
  env: Record<string, string | undefined>,
): Promise<Settings> {
  const { JWT_SECRET, JWT_SECRET_FINGERPRINT } = env;
  const sourcesConfig = createSecrets(env).fill(canonical(sources.map(({ raw }) => raw)));
  const jwt = JWT_SECRET ? await fingerprintOf('JWT_SECRET', JWT_SECRET) : JWT_SECRET_FINGERPRINT;
  return {
    kind,
    sources: sources.map(({ name }) => name),
    fingerprints: {
      SOURCES_FILE: await fingerprintOf('SOURCES_FILE', sourcesConfig),
      SECRETS_KEY: findVault().keyId,
      // Days are counted in it, also those in stored answers.
      APP_TIMEZONE: await fingerprintOf('APP_TIMEZONE', config.APP_TIMEZONE),
      ...(jwt && { JWT_SECRET: jwt }),
    },
  };
}

/** Lists the running processes with their sources. `configuration` differs if a source or a secret differs. */
export async function describeProcesses({ db }: Pick<Context, 'db'>) {
  return (await listServingProcesses(db)).map(({ kind, host, pid, started_at, sources, fingerprints }) => ({
    kind,
    host,
    pid,
    sources,
    started_at: started_at.toISOString(),
    configuration: fingerprints.SOURCES_FILE?.slice(0, 8) ?? '',
  }));
}
