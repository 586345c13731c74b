import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { FastifyInstance, LightMyRequestResponse } from 'fastify';
import { buildApi } from '#app/server/api/api.ts';
import { loadSources } from '#features/sources/server/configuration/sources-file.ts';
import { kinds } from '#features/sources/server/kinds/kinds.ts';
import { failureStatuses } from '#server/http/failure-statuses.ts';
import { parseConfig } from '#server/runtime/config.ts';
import type { Context } from '#server/runtime/context.ts';
import type { Log } from '#server/runtime/log.ts';
import { createLog } from '#server/runtime/log.ts';
import { createTestDatabase, type TestDatabase } from '#tests/support/database/database.ts';

/** The parts of a request besides its method and path. */
export type Send = {
  token?: string | undefined;
  body?: unknown;
  headers?: Record<string, string>;
  /** One file of a multipart form, and its text fields. */
  file?: { field: string; name: string; content: Buffer | string; type?: string };
  fields?: Record<string, string>;
};

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
  env: Record<string, string> = {},
  log?: Log,
  given?: Pick<TestDatabase, 'url' | 'db' | 'close'>,
): Promise<TestApi> {
  const database = given ?? (await createTestDatabase());
  const dataDir = await mkdtemp(join(tmpdir(), 'coverdesk-api-'));
  let instant: Date | undefined;
  const context: Context = {
    config: parseConfig({ DATA_DIR: dataDir, ...env }),
    db: database.db,
    log: log ?? createLog('test', 'silent'),
    jwtSecret: 'a secret of the tests, of no use elsewhere',
    databaseUrl: database.url,
    publicUrl: 'http://coverdesk.test',
    now: () => instant ?? new Date(),
  };
  const app = await buildApi(context, await loadSources(context.config, kinds, process.env));
  const undescribed = noteUndescribedStatuses(app);
  return {
    app,
    context,
    clock: {
      set: (value) => {
        instant = value;
      },
    },
    send: (call, send = {}) => inject(app, call, send),
    async close() {
      await app.close();
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
    undescribed.add(`${endpoint.name}: ${statusCode}`);
  });
  return undescribed;
}

function inject(app: FastifyInstance, call: string, send: Send): Promise<LightMyRequestResponse> {
  const [method, url] = call.split(' ') as ['GET' | 'POST' | 'PUT' | 'DELETE', string];
  const form = send.file || send.fields ? multipart(send) : undefined;
  return app.inject({
    method,
    url,
    headers: {
      ...(send.token !== undefined && { authorization: `Bearer ${send.token}` }),
      ...form?.headers,
      ...send.headers,
    },
    ...(form ? { payload: form.payload } : send.body !== undefined && { payload: send.body as object }),
  });
}

function multipart({ file, fields = {} }: Send) {
  const boundary = `form${randomBytes(12).toString('hex')}`;
  const parts = Object.entries(fields).map(([name, value]) =>
    Buffer.from(`--${boundary}\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`),
  );
  if (file) {
    const head =
      `--${boundary}\r\ncontent-disposition: form-data; name="${file.field}"; filename="${file.name}"\r\n` +
      `content-type: ${file.type ?? 'application/octet-stream'}\r\n\r\n`;
    parts.push(Buffer.concat([Buffer.from(head), Buffer.from(file.content), Buffer.from('\r\n')]));
  }
  return {
    headers: { 'content-type': `multipart/form-data; boundary=${boundary}` },
    payload: Buffer.concat([...parts, Buffer.from(`--${boundary}--\r\n`)]),
  };
}
