import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findFreePort } from '#server/runtime/free-port.ts';
import type { Send } from '#tests/support/api/request-body.ts';
import { sendTo } from '#tests/support/api/send-to-address.ts';
import { createEmptyDatabase } from '#tests/support/database/database.ts';
import { makeStandardUser, signInAs } from '#tests/support/product/client.ts';
import { hasNginx, startNginx } from '#tests/support/product/nginx.ts';
import { type ProductProcess, startProcess } from '#tests/support/product/product-process.ts';
import { makeWorkbook } from '#tests/support/sheets/make-workbook.ts';
import { startUpstream, upstreamEntry } from '#tests/support/sources/upstream.ts';
import { waitFor } from '#tests/support/wait.ts';
import { buildServer } from '../run/build.mjs';
import { inRoot } from '../run/paths.mjs';
import { CannotDrill, type Drill } from './drill.ts';

const restarts = 20;
const rowsPerUpload = 200;
const admin = { email: 'boss@example.com', password: 'a long enough one' };

const rollingRestarts: Drill = {
  title: `Two API processes and two workers restart in turn, ${restarts} times`,
  async run() {
    if (!hasNginx()) throw new CannotDrill('nginx is not installed (apt-get install nginx)');
    const site = await startSite();
    try {
      const load = await startLoad(site);
      for (let round = 0; round < restarts; round++) await site.restart(round % 2);
      const { calls, uploads } = await load.stop();
      await site.untilCompleted(uploads);
      return `${calls} calls were answered, none lost; ${uploads * rowsPerUpload} rows completed`;
    } finally {
      await site.stop();
    }
  },
};

/** Starts two API processes and two workers on one database, with nginx in front. */
async function startSite() {
  const folder = await mkdtemp(join(tmpdir(), 'coverdesk-restarts-'));
  const [database, upstream] = await Promise.all([createEmptyDatabase(), startUpstream()]);
  const sources = join(folder, 'sources.json');
  await upstream.setLatency(20);
  await writeFile(sources, JSON.stringify({ sources: [upstreamEntry(upstream)] }));
  const startSide = (side: string, port = 0) =>
    startProcess(
      'start',
      {
        DATABASE_URL: database.url,
        DATA_DIR: join(folder, `${side}${port}`),
        PORT: String(port),
        JWT_SECRET: 'signs the sessions of this drill alone',
        SECRETS_KEY: 'seals the stored secrets of this drill alone',
        ADMIN_EMAIL: admin.email,
        ADMIN_PASSWORD: admin.password,
        SOURCES_FILE: sources,
        TRUST_PROXY: '127.0.0.1',
        LOG_LEVEL: 'warn',
      },
      [process.execPath, inRoot(buildServer.made), 'start', side],
    );
  const ports = [await findFreePort('127.0.0.1'), await findFreePort('127.0.0.1')];
  const apis = ports.map((port) => startSide('--api', port));
  const urls = await Promise.all(apis.map((api) => api.ready()));
  const workers = [startSide('--workers'), startSide('--workers')];
  await Promise.all(workers.map((worker) => worker.ready()));
  const nginx = await startNginx(urls);
  const { token } = await signInAs(urls[0] ?? '', admin.email, admin.password);
  const user = await makeStandardUser({ url: urls[0] ?? '', token }, 'Drill');

  const replace = async (running: ProductProcess[], place: number, start: () => ProductProcess) => {
    running[place]?.process.kill('SIGTERM');
    assert.equal(await running[place]?.ended, 0, running[place]?.log.join('\n'));
    const next = start();
    running[place] = next;
    await next.ready();
  };
  return {
    nginx,
    user,
    admin: { token },
    companyCode: user.account.companyCode,
    /** Restarts one API process and one worker, as an upgrade of one machine does. */
    async restart(place: number) {
      await Promise.all([
        replace(apis, place, () => startSide('--api', ports[place])),
        replace(workers, place, () => startSide('--workers')),
      ]);
    },
    /** Waits until all uploaded rows have a result, each once. */
    async untilCompleted(uploads: number) {
      const count = async () => {
        const { rows } = await database.pool.query<{ done: number; stored: number }>(
          `SELECT (SELECT sum(done)::int FROM tickets) AS done,
             (SELECT count(*)::int FROM serials WHERE state = 'done') AS stored`,
        );
        return rows[0];
      };
      const expected = uploads * rowsPerUpload;
      await waitFor('all results', async () => (await count())?.done === expected, 120_000);
      assert.deepEqual(await count(), { done: expected, stored: expected });
    },
    async stop() {
      await nginx.stop();
      for (const one of [...apis, ...workers]) await one.stop();
      await Promise.all([database.close(), upstream.close()]);
      await rm(folder, { recursive: true });
    },
  };
}

/** Sends calls without a pause: six clients create and read, one uploads, one downloads. */
async function startLoad({
  nginx,
  user,
  admin: superadmin,
  companyCode,
}: Awaited<ReturnType<typeof startSite>>) {
  const { send, close } = sendTo(nginx);
  const failures: string[] = [];
  let isOver = false;
  let [calls, uploads] = [0, 0];
  const call = async (line: string, sent: Send, status: number) => {
    calls += 1;
    try {
      const answer = await send(line, sent);
      if (answer.statusCode !== status) failures.push(`${line}: ${answer.statusCode} ${answer.body}`);
    } catch (error) {
      failures.push(`${line}: ${(error as Error).message}`);
    }
  };
  const repeat = async (work: () => Promise<void>) => {
    while (!isOver) await work();
  };
  const { token } = user;
  const readers = Array.from({ length: 6 }, () =>
    repeat(async () => {
      const order = { company_code: companyCode, data_count: 1 };
      await call('POST /api/tickets', { token: superadmin.token, body: order }, 201);
      await call('GET /api/tickets/last', { token }, 200);
      await call('GET /api/clients/own', { token }, 200);
    }),
  );
  const uploader = repeat(async () => {
    const serials = Array.from(
      { length: rowsPerUpload },
      (_, n) => `ROLL${String(uploads * rowsPerUpload + n).padStart(8, '0')}`,
    );
    const file = { field: 'excel', name: 'sheet.xlsx', content: makeWorkbook(['Serial', ...serials]) };
    uploads += 1;
    await call('POST /api/data/upload', { token, file, headers: { 'idempotency-key': randomUUID() } }, 201);
  });
  const downloader = repeat(() => call('GET /api/imei/download?format=json', { token }, 200));
  return {
    /** @throws AssertionError if a call failed */
    async stop() {
      isOver = true;
      await Promise.all([...readers, uploader, downloader]);
      await close();
      assert.deepEqual(failures, [], `${failures.length} of ${calls} calls failed: ${failures[0]}`);
      return { calls, uploads };
    },
  };
}

export const drills = { rollingRestarts };
