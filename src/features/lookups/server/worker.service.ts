import { createSecrets } from '#features/sources/server/configuration/secrets.ts';
import { registerWithSources } from '#features/sources/server/shared-settings.service.ts';
import { noWork, type ProcessParts } from '#server/processes/process-registration.ts';
import type { Context } from '#server/runtime/context.ts';
import { type StartedEngine, startEngine } from './start-engine.ts';

/**
 * Starts a worker, which looks up the rows of all tickets until it is drained.
 * @throws ConfigError, SettingsError, see `registerWithSources`
 */
export async function startLookups(
  context: Pick<Context, 'config' | 'db' | 'log' | 'databaseUrl'>,
  env: Record<string, string | undefined>,
  abort: ProcessParts['abort'],
): Promise<StartedEngine> {
  const { config, db, log } = context;
  let engine: StartedEngine | undefined;
  const { sources, registration } = await registerWithSources(
    'worker',
    context,
    env,
    abort,
    () => engine?.describeWork() ?? noWork,
  );
  try {
    const tools = { secrets: createSecrets(env), timezone: config.APP_TIMEZONE, db, log };
    const started = await startEngine(context, sources, tools, registration);
    engine = started;
    return {
      ...started,
      async drain() {
        await started.drain();
        await registration.end();
      },
    };
  } catch (error) {
    await registration.end();
    throw error;
  }
}
