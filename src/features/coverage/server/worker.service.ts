import type { Context } from '#server/context.ts';
import { kinds } from './kinds/kinds.ts';
import { createSecrets } from './sources/secrets.ts';
import { loadSources } from './sources/sources-file.ts';
import { type StartedEngine, startEngine } from './start-engine.ts';

/**
 * Starts a worker: looks up the rows of all tickets with the configured sources until it is drained.
 * @throws ConfigError for a mistake in SOURCES_FILE
 */
export async function startLookups(
  context: Pick<Context, 'config' | 'db' | 'log' | 'databaseUrl'>,
  env: Record<string, string | undefined>,
): Promise<StartedEngine> {
  const { config, db, log } = context;
  const sources = await loadSources(config, kinds, env);
  return startEngine(context, sources, {
    ...{ secrets: createSecrets(env), timezone: config.APP_TIMEZONE, db, log },
  });
}
