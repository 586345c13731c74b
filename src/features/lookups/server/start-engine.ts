import type { SourceTools } from '#features/sources/server/configuration/source.ts';
import type { ConfiguredSource } from '#features/sources/server/configuration/sources-file.ts';
import { syncSources } from '#features/sources/server/states/source-states.queries.ts';
import type { Registration } from '#server/processes/process-registration.ts';
import type { Context } from '#server/runtime/context.ts';
import { cacheHoursOf } from './clean-up.ts';
import { createEngine, type Engine } from './engine.ts';
import { freeJobsOfOthers } from './jobs/lookup-jobs.queries.ts';
import { createWorkerPresence } from './workers/worker-presence.ts';
import { markWorkerGone } from './workers/workers.queries.ts';

export type StartedEngine = Pick<Engine, 'drain' | 'describeWork'>;

/** Starts to look up the rows of all tickets, together with all other workers on this database. */
export async function startEngine(
  context: Pick<Context, 'config' | 'db' | 'log' | 'databaseUrl'>,
  sources: ConfiguredSource[],
  tools: SourceTools,
  registration: Pick<Registration, 'hold'>,
): Promise<StartedEngine> {
  const { config, db: pool, log, databaseUrl } = context;
  await syncSources(pool, sources);
  await freeJobsOfOthers.run(pool, {
    enabled: sources.filter(({ enabled }) => enabled).map(({ name }) => name),
  });
  const presence = createWorkerPresence(databaseUrl, log);
  const { notices, join, start, drain, describeWork } = await createEngine({
    pool,
    log,
    sources,
    tools,
    registration,
    concurrency: config.WORKER_CONCURRENCY,
    cacheHours: cacheHoursOf(config),
    presence,
  });
  await presence.start(notices, join);
  await start();

  return {
    describeWork,
    async drain() {
      await drain();
      if (presence.id !== undefined) await markWorkerGone.run(pool, { id: presence.id });
      await presence.close();
    },
  };
}
