import type { FastifyInstance } from 'fastify';
import { registerWithSources } from '#features/sources/server/shared-settings.service.ts';
import { openPool } from '#server/db/connection/open-pool.ts';
import { ReadRouter } from '#server/db/replica/read-router.ts';
import { drainApi } from '#server/http/drain.ts';
import { noWork } from '#server/processes/process-registration.ts';
import { type Config, databaseAddresses } from '#server/runtime/config.ts';
import type { Context } from '#server/runtime/context.ts';
import type { Log } from '#server/runtime/log.ts';
import { buildApi } from '../api/api.ts';
import type { Abort, StartedService } from './child.ts';

/**
 * The listen backlog: new connections that the system holds while this process is busy. Hundreds of browsers that
 * reconnect together, with six connections each, exceed Node's default of 511.
 */
const backlog = 4096;

const connections = 12; // heavy calls have others, those of the read router

/** Serves the API and the web app on a database that is prepared. */
export async function serveApi(config: Config, log: Log, abort: Abort): Promise<StartedService> {
  const { JWT_SECRET: jwtSecret, PUBLIC_URL: publicUrl } = config;
  const { databaseUrl, poolerUrl } = databaseAddresses(config);
  if (!databaseUrl || !jwtSecret || !publicUrl)
    throw new Error('the supervisor must set DATABASE_URL, JWT_SECRET and PUBLIC_URL');
  const db = openPool({ databaseUrl, poolerUrl, log }, connections);
  const readRouter = new ReadRouter({ db, databaseUrl, poolerUrl, log }, config.DATABASE_READ_URL);
  const context: Context = {
    config,
    db,
    readRouter,
    log,
    jwtSecret,
    databaseUrl,
    poolerUrl,
    publicUrl: publicUrl.replace(/\/+$/, ''),
    now: () => new Date(),
  };
  let app: FastifyInstance | undefined;
  const { sources, registration } = await registerWithSources('api', context, process.env, abort, () => ({
    ...noWork,
    inFlight: app?.drain.requests.size ?? 0,
  }));
  const api = await buildApi(context, sources);
  app = api;
  await api.listen({ host: config.HOST, port: config.PORT, backlog });
  return {
    async drain(isReplaced) {
      await (isReplaced ? drainApi(api) : api.close());
      await registration.end();
      await readRouter.end();
      await db.end();
    },
  };
}
