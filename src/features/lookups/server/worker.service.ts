import { randomUUID } from 'node:crypto';
import { createSecrets } from '#features/sources/server/configuration/secrets.ts';
import { registerWithSources } from '#features/sources/server/shared-settings.service.ts';
import { syncSources } from '#features/sources/server/states/source-states.queries.ts';
import { listenForever } from '#server/db/connection/listen-forever.ts';
import { noWork, type ProcessParts } from '#server/processes/process-registration.ts';
import type { Context } from '#server/runtime/context.ts';
import { createEngine, type Engine } from './engine.ts';
import { makeParkedJobsReady } from './jobs/lookup-jobs.queries.ts';
import { cacheHoursOf } from './maintenance.ts';
import { markWorkerGone } from './workers/workers.queries.ts';

/**
 * Starts a worker, which looks up the rows of all tickets together with all other workers on this database, until it is
 * drained.
 * @throws ConfigError, SettingsError, see `registerWithSources`
 */
export async function startLookups(
  context: Pick<Context, 'config' | 'db' | 'log' | 'databaseUrl'>,
  env: Record<string, string | undefined>,
  abort: ProcessParts['abort'],
): Promise<Pick<Engine, 'describeWork' | 'drain'>> {
  const { config, db: pool, log, databaseUrl } = context;
  let running: Engine | undefined;
  const describeWork = () => running?.describeWork() ?? noWork;
  const { sources, registration } = await registerWithSources('worker', context, env, abort, describeWork);
  try {
    await syncSources(pool, sources);
    await makeParkedJobsReady.run(pool);
    const worker = randomUUID();
    const engine = await createEngine({
      pool,
      log,
      sources,
      tools: { secrets: createSecrets(env), timezone: config.APP_TIMEZONE, db: pool, log },
      registration,
      concurrency: config.WORKER_CONCURRENCY,
      cacheHours: cacheHoursOf(config),
      worker,
    });
    const listener = listenForever(databaseUrl, log, engine.notices);
    await engine.start();
    running = engine;
    return {
      describeWork,
      async drain() {
        await engine.drain();
        // Without the mark, the worker counts as gone when its permits have expired.
        await markWorkerGone
          .run(pool, { id: worker })
          .catch((err) => log.warn({ err }, 'this worker could not be marked as gone'));
        await listener.close();
        await registration.end();
      },
    };
  } catch (error) {
    await registration.end();
    throw error;
  }
}
