import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findFreePort } from '#server/runtime/free-port.ts';
import type { Send } from '#tests/support/api/request-body.ts';
import { sendTo } from '#tests/support/api/send-to-address.ts';
import { createEmptyDatabase } from '#tests/support/database/database.ts';
import { makeSerials } from '#tests/support/lookups/tickets.ts';
import { makeStandardUser, signInAs } from '#tests/support/product/client.ts';
import { hasNginx, startNginx } from '#tests/support/product/nginx.ts';
import { type ProductProcess, startProcess } from '#tests/support/product/product-process.ts';
import { makeWorkbook } from '#tests/support/sheets/make-workbook.ts';
import { startUpstream, upstreamEntry } from '#tests/support/sources/upstream.ts';
import { waitFor } from '#tests/support/wait.ts';
import { CannotDrill, type Drill } from './drill.ts';

const restarts = 20;
const rowsPerUpload = 200;
const admin = { email: 'boss@example.com', password: 'a long enough one' };

const rollingRestarts: Drill = {
  title: `Two API processes and two workers restart in turn, ${restarts} times`,
  async run() {
    if (!hasNginx()) throw new CannotDrill('nginx is not installed (apt-get install nginx)');
    const folder = await mkdtemp(join(tmpdir(), 'coverdesk-restarts-'));
    const [database, upstream] = await Promise.all([createEmptyDatabase(), startUpstream()]);
    const sources = join(folder, 'sources.json');
    await upstream.setLatency(20);
    await writeFile(sources, JSON.stringify({ sources: [upstreamEntry(upstream)] }));
    const ports = [await findFreePort('127.0.0.1'), await findFreePort('127.0.0.1')];
    const start = async (side: string, place: number): Promise<ProductProcess> => {
      const one = startProcess(`start ${side}`, {
        DATABASE_URL: database.url,
        DATA_DIR: join(folder, `${side}${place}`),
        PORT: String(ports[place]),
        JWT_SECRET: 'signs the sessions of this drill alone',
        SECRETS_KEY: 'seals the stored secrets of this drill alone',
        ADMIN_EMAIL: admin.email,
        ADMIN_PASSWORD: admin.password,
        SOURCES_FILE: sources,
        TRUST_PROXY: '127.0.0.1',
        LOG_LEVEL: 'warn',
      });
      await one.ready();
      return one;
    };
    const restart = async (one: ProductProcess, side: string, place: number): Promise<ProductProcess> => {
      one.process.kill('SIGTERM');
      assert.equal(await one.ended, 0, one.log.join('\n'));
      return start(side, place);
    };
    // Each machine has an API process and a worker.
    const startMachine = (place: number) => Promise.all([start('--api', place), start('--workers', place)]);
    const machines = [await startMachine(0), await startMachine(1)];
    const urls = ports.map((port) => `http://127.0.0.1:${port}`);
    const nginx = await startNginx(urls);
    try {
      const superadmin = await signInAs(urls[0] ?? '', admin.email, admin.password);
      const user = await makeStandardUser(superadmin, 'Drill');
      const load = startLoad(nginx, superadmin.token, user);
      for (let round = 0; round < restarts; round++) {
        const place = round % 2;
        const [api, worker] = machines[place] ?? assert.fail();
        machines[place] = await Promise.all([
          restart(api, '--api', place),
          restart(worker, '--workers', place),
        ]);
      }
      const { calls, uploads } = await load.stop();
      const expected = uploads * rowsPerUpload;
      const counted = waitFor(
        'all results',
        async () => {
          const { rows } = await database.pool.query<{ done: number; stored: number }>(
            `SELECT (SELECT sum(done)::int FROM tickets) AS done,
               (SELECT count(*)::int FROM serials WHERE state = 'done') AS stored`,
          );
          return rows[0]?.done === expected && rows[0];
        },
        120_000,
      );
      assert.deepEqual(await counted, { done: expected, stored: expected });
      return `${calls} calls were answered, none lost; ${expected} rows completed`;
    } finally {
      await nginx.stop();
      for (const one of machines.flat()) await one.stop();
      await Promise.all([database.close(), upstream.close()]);
      await rm(folder, { recursive: true });
    }
  },
};

/** Sends calls without a pause: six clients create tickets and read, one uploads, one downloads. */
function startLoad(
  nginx: { url: string; ca: string },
  adminToken: string,
  { token, account }: Awaited<ReturnType<typeof makeStandardUser>>,
) {
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
  const read = async () => {
    const order = { company_code: account.companyCode, data_count: 1 };
    await call('POST /api/tickets', { token: adminToken, body: order }, 201);
    await call('GET /api/tickets/last', { token }, 200);
    await call('GET /api/clients/own', { token }, 200);
  };
  const upload = async () => {
    uploads += 1;
    const content = makeWorkbook(['Serial', ...makeSerials(`ROLL${uploads}X`, rowsPerUpload)]);
    const file = { field: 'excel', name: 'sheet.xlsx', content };
    await call('POST /api/data/upload', { token, file, headers: { 'idempotency-key': randomUUID() } }, 201);
  };
  const download = () => call('GET /api/imei/download?format=json', { token }, 200);
  const clients = [read, read, read, read, read, read, upload, download].map(repeat);
  return {
    /** @throws AssertionError if a call failed */
    async stop() {
      isOver = true;
      await Promise.all(clients);
      await close();
      assert.deepEqual(failures, [], `${failures.length} of ${calls} calls failed: ${failures[0]}`);
      return { calls, uploads };
    },
  };
}

export const drills = { rollingRestarts };
