import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { FastifyInstance, LightMyRequestResponse } from 'fastify';
import { buildApi } from '#app/server/api/api.ts';
import { loadSources } from '#features/sources/server/configuration/sources-file.ts';
import { kinds } from '#features/sources/server/kinds/kinds.ts';
import { ReadRouter } from '#server/db/replica/read-router.ts';
import { failureStatuses } from '#server/http/open-api/open-api.ts';
import { type Config, parseConfig } from '#server/runtime/config.ts';
import type { Context } from '#server/runtime/context.ts';
import type { Log } from '#server/runtime/log.ts';
import { createLog } from '#server/runtime/log.ts';
import { createTestDatabase, type TestDatabase } from '#tests/support/database/database.ts';
import { bodyOf, type Send } from './request-body.ts';
import { startTwoProcesses, twoProcessesVariable } from './two-processes.ts';

export type { Send };

export type TestApi = {
  app: FastifyInstance;
  context: Context;
  /** Fixes the product's clock at an instant; undefined releases it. */
  clock: { set(instant: Date | undefined): void };
  /** Sends one request, as `GET /api/clients?page=2`. */
  send(call: string, send?: Send): Promise<LightMyRequestResponse>;
  close(): Promise<void>;
};

/**
 * Creates the API with its own database and data folder. Requests are injected. Call `close` in `after`.
 * @param env configuration that overrides the defaults
 * @param given a database to use instead, which `close` also closes
 */
export async function createTestApi(
  env: Partial<Record<keyof Config, string>> = {},
  log?: Log,
  given?: Pick<TestDatabase, 'url' | 'db' | 'close'>,
): Promise<TestApi> {
  const database = given ?? (await createTestDatabase());
  const dataDir = await mkdtemp(join(tmpdir(), 'coverdesk-api-'));
  let instant: Date | undefined;
  const config = parseConfig({ DATA_DIR: dataDir, ...env });
  const server = { db: database.db, databaseUrl: database.url, log: log ?? createLog('test', 'silent') };
  const readRouter = new ReadRouter(server, config.DATABASE_READ_URL);
  const context: Context = {
    ...server,
    config,
    readRouter,
    jwtSecret: 'a secret of the tests, of no use elsewhere',
    publicUrl: 'http://coverdesk.test',
    now: () => instant ?? new Date(),
  };
  const app = await buildApi(context, await loadSources(context.config, kinds, process.env));
  const undescribed = noteUndescribedStatuses(app);
  // A test that gives a log or a database is about one process.
  const isAlone = log !== undefined || given !== undefined || !process.env[twoProcessesVariable];
  const processes = isAlone ? undefined : await startTwoProcesses(env, context);
  return {
    app,
    context,
    clock: {
      set: (value) => {
        instant = value;
        processes?.setClock(value);
      },
    },
    send: processes?.send ?? ((call, send = {}) => inject(app, call, send)),
    async close() {
      await processes?.close();
      await app.close();
      await readRouter.end();
      await database.close();
      await rm(dataDir, { recursive: true });
      assert.deepEqual([...undescribed], [], 'every answer has a status that its contract describes');
    },
  };
}

/** Collects the calls whose status is not in the API's description. */
function noteUndescribedStatuses(app: FastifyInstance): Set<string> {
  const undescribed = new Set<string>();
  app.addHook('onResponse', async (request, { statusCode }) => {
    const { endpoint } = request.routeOptions.config;
    if (!endpoint) return;
    const success = [endpoint.status ?? 200, ...(endpoint.tagged ? [304] : [])];
    if ([...success, ...failureStatuses(endpoint)].includes(statusCode)) return;
    undescribed.add(`${endpoint.route}: ${statusCode}`);
  });
  return undescribed;
}

function inject(app: FastifyInstance, call: string, send: Send): Promise<LightMyRequestResponse> {
  const [method, url] = call.split(' ') as ['GET' | 'POST' | 'PUT' | 'DELETE', string];
  const { headers, payload } = bodyOf(send);
  return app.inject({ method, url, headers, ...(payload !== undefined && { payload }) });
}
