import { getPriority, setPriority } from 'node:os';
import type { Context } from '#server/context.ts';
import { type Engine, startEngine } from './engine/engine.ts';
import { kinds } from './kinds/kinds.ts';
import { createSecrets } from './sources/secrets.ts';
import { loadSources } from './sources/sources-file.ts';

/** Requests go before lookups where both want the processor. */
const lowerPriority = 5;

/**
 * Starts a worker: looks up the rows of all tickets with the configured sources until it is drained.
 * @throws ConfigError for a mistake in SOURCES_FILE
 */
export async function startLookups(
  context: Pick<Context, 'config' | 'db' | 'log' | 'databaseUrl'>,
  env: Record<string, string | undefined>,
): Promise<Engine> {
  const { config, db, log } = context;
  const sources = await loadSources(config, kinds, env);
  try {
    setPriority(Math.min(19, getPriority() + lowerPriority));
  } catch (error) {
    log.debug({ err: error }, 'the priority could not be lowered');
  }
  return startEngine(context, sources, {
    ...{ secrets: createSecrets(env), timezone: config.APP_TIMEZONE, db, log },
  });
}
