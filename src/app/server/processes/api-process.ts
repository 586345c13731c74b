// A process under the supervisor: the API and the web app, on the database that the supervisor has made ready.
import { registerWithSources } from '#features/sources/server/shared-settings.service.ts';
import { openDb } from '#server/db/connection/open-db.ts';
import { parseConfig } from '#server/runtime/config.ts';
import type { Context } from '#server/runtime/context.ts';
import { createLog } from '#server/runtime/log.ts';
import { buildApi } from '../api/api.ts';
import { runChild } from './child.ts';

/**
 * Connections that the system accepts while this process is busy; it refuses all that are more. Hundreds of browsers that
 * come back at once, six connections each, are more than Node's own 511.
 */
const mostWaiting = 4096;

/** With those of heavy reads 20, however many calls come. */
const connections = 12;

const config = parseConfig(process.env);
const { DATABASE_URL: databaseUrl, JWT_SECRET: jwtSecret, PUBLIC_URL: publicUrl } = config;
const log = createLog('api', config.LOG_LEVEL);

await runChild(log, async (abort) => {
  if (!databaseUrl || !jwtSecret || !publicUrl)
    throw new Error('the supervisor gives DATABASE_URL, JWT_SECRET and PUBLIC_URL');
  const db = openDb(databaseUrl, log, connections);
  const context: Context = {
    config,
    db,
    log,
    jwtSecret,
    databaseUrl,
    publicUrl: publicUrl.replace(/\/+$/, ''),
    now: () => new Date(),
  };
  const { sources, registration } = await registerWithSources('api', context, process.env, abort);
  const app = await buildApi(context, sources);
  await app.listen({ host: config.HOST, port: config.PORT, backlog: mostWaiting });
  return {
    async drain() {
      await app.close();
      await registration.end();
      await db.end();
    },
  };
});
