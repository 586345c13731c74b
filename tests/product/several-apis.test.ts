import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { findFreePort } from '#server/runtime/free-port.ts';
import { createEmptyDatabase } from '#tests/support/database/database.ts';
import { callApi, makeCompany, signInAs } from '#tests/support/product/client.ts';
import { type ProductProcess, startProcess } from '#tests/support/product/product-process.ts';
import { waitFor } from '#tests/support/wait.ts';

// Runs API processes and workers apart on one database, as behind a reverse proxy.
const admin = { email: 'boss@example.com', password: 'a long enough one' };
let scratch: string;
let database: Awaited<ReturnType<typeof createEmptyDatabase>>;
const running: ProductProcess[] = [];

before(async () => {
  scratch = await mkdtemp(join(tmpdir(), 'coverdesk-several-'));
  database = await createEmptyDatabase();
});
after(async () => {
  for (const one of running) if (one.process.exitCode === null) await one.killAll();
  await database.close();
  await rm(scratch, { recursive: true });
});

function start(side: string, port = 0): ProductProcess {
  const one = startProcess(`start ${side}`, {
    DATABASE_URL: database.url,
    DATA_DIR: scratch,
    PORT: String(port),
    JWT_SECRET: 'signs the sessions of this test alone',
    SECRETS_KEY: 'seals the stored secrets of this test alone',
    ADMIN_EMAIL: admin.email,
    ADMIN_PASSWORD: admin.password,
    LOG_LEVEL: 'warn',
  });
  running.push(one);
  return one;
}

const statusOf = async (url: string) => (await fetch(url)).status;
const isReady = (url: string) =>
  statusOf(`${url}/api/health/ready`).then(
    (status) => status === 200,
    () => false,
  );

test('one side of the product starts alone, and an API listens for a second after SIGTERM', async () => {
  const wrong = start('--everything');
  assert.equal(await wrong.ended, 1);
  assert.match(wrong.log.join('\n'), /^usage: npm start /);
  const [api, workers] = [start('--api'), start('--workers')];
  const [url] = await Promise.all([api.ready(), workers.ready()]);
  assert.deepEqual(api.lines, [`Coverdesk is ready at ${url}`]);
  assert.deepEqual(workers.lines, ['Coverdesk worker is ready']);
  const { rows } = await database.pool.query('SELECT kind FROM processes ORDER BY kind');
  assert.deepEqual(
    rows.map(({ kind }) => kind),
    ['api', 'worker'],
  );
  const since = performance.now();
  api.process.kill('SIGTERM');
  await waitFor('the end of listening', async () => {
    const answered = await statusOf(`${url}/api/health/live`).catch(() => undefined);
    return answered === undefined;
  });
  assert.ok(performance.now() - since >= 1000);
  assert.deepEqual(await Promise.all([api.ended, workers.stop()]), [0, 0]);
});

test('rolling restarts of two API processes lose no request', async () => {
  const ports = [await findFreePort('127.0.0.1'), await findFreePort('127.0.0.1')];
  const apis = ports.map((port) => start('--api', port));
  const urls = await Promise.all(apis.map((api) => api.ready()));
  // As a reverse proxy with health checks does: it asks each API often, and sends requests to those that are ready.
  const ready = new Set(urls);
  let isOver = false;
  const checks = urls.map(async (url) => {
    while (!isOver) {
      if (await isReady(url)) ready.add(url);
      else ready.delete(url);
      await delay(100);
    }
  });
  let turn = 0;
  const nextUrl = () => [...ready][turn++ % ready.size] ?? '';

  const { token } = await signInAs(urls[0] ?? '', admin.email, admin.password);
  const company = await makeCompany({ url: urls[0] ?? '', token }, 'Acme');
  const failures: unknown[] = [];
  let created = 0;
  const order = { company_code: company, data_count: 1 };
  const clients = Array.from({ length: 6 }, async () => {
    while (!isOver) {
      const url = nextUrl();
      try {
        await callApi({ url, token }, 'POST', '/tickets', order);
        created += 1;
        await callApi({ url, token }, 'GET', '/tickets/last');
      } catch (error) {
        failures.push(error);
      }
    }
  });
  for (const [place, port] of ports.entries()) {
    apis[place]?.process.kill('SIGTERM');
    assert.equal(await apis[place]?.ended, 0);
    const next = start('--api', port);
    await next.ready();
    await waitFor('the health check', async () => ready.size === 2);
    apis[place] = next;
  }
  isOver = true;
  await Promise.all([...clients, ...checks]);
  assert.deepEqual(failures, []);
  assert.ok(created > 20, String(created));
  const { rows } = await database.pool.query('SELECT count(*)::integer AS stored FROM tickets');
  assert.equal(rows[0].stored, created);
  await Promise.all(apis.map((api) => api.stop()));
});
