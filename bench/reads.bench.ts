import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { finished } from 'node:stream/promises';
import { fileURLToPath } from 'node:url';
import { to as copyTo } from 'pg-copy-streams';
import { Agent, request } from 'undici';
import { createTestApi, type TestApi } from '../tests/support/api/api.ts';
import { readCpuSeconds } from '../tests/support/product/process-tree.ts';
import type { Bench, Row } from './support/bench.ts';
import { createLargeTicket } from './support/large-ticket.ts';
import { compare, timeMs } from './support/measure.ts';

const rows = Number(process.env.BENCH_ROWS ?? 1_000_000);
const clients = 10;
const roundMs = 2000;
const rounds = Number(process.env.BENCH_ROUNDS ?? 3);
/** Unmeasured responses of each kind, so that the JIT compiler has run. */
const warming = 1500;

/** Compares the read throughput of one API process with a bare route that only runs the query. */
export const bench: Bench = {
  title: `Reads by ${clients} clients, of a ticket of ${rows} rows, beside a bare Fastify route with one named statement`,
  run,
};

type Call = { path: string; headers?: Record<string, string> };
/** Returns the call of each client. */
type Calls = (client: number) => Call;
/** The CPU time that some processes have used so far. */
type Used = { pids: number[]; seconds: number | undefined };
type Contender = { url: string; calls: Calls; cpu(): Promise<Used> };

async function run(): Promise<Row[]> {
  const api = await createTestApi();
  const folder = await mkdtemp(join(tmpdir(), 'coverdesk-bench-'));
  const children: { child: ChildProcess; ended: Promise<unknown> }[] = [];
  const start = async (name: string, module: string, env: Record<string, string>) => {
    const child = fork(fileURLToPath(new URL(module, import.meta.url)), {
      env: {
        PATH: process.env.PATH,
        PORT: '0',
        DATABASE_URL: api.context.databaseUrl,
        PGAPPNAME: name,
        ...env,
      },
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    });
    children.push({ child, ended: once(child, 'exit') });
    /** Reads the CPU seconds of the process and of its database backends. */
    const cpu = async () => {
      const { rows: backends } = await api.context.db.query<{ pid: number }>(
        'SELECT pid FROM pg_stat_activity WHERE application_name = $1 ORDER BY pid',
        [name],
      );
      const pids = [child.pid ?? 0, ...backends.map(({ pid }) => pid)];
      return { pids, seconds: await readCpuSeconds(pids) };
    };
    return { url: await readAddress(child), cpu };
  };
  try {
    const { ticketId, number, token } = await createLargeTicket(api, rows);
    const product = await start('bench product', '../src/app/server/processes/api-process.ts', {
      JWT_SECRET: api.context.jwtSecret,
      PUBLIC_URL: 'http://localhost',
      DATA_DIR: folder,
      SECRETS_KEY: 'a key of the bench, of no use elsewhere',
    });
    const bare = await start('bench bare', 'support/bare-route.ts', {});
    const headers = { authorization: `Bearer ${token}` };
    const page = (which: number, limit: number, apart = 0): [Calls, Calls] => [
      (client) => ({
        path: `/api/imei?ticket_number=${number}&page=${which + client * apart}&limit=${limit}`,
        headers,
      }),
      (client) => ({
        path: `/page?ticket=${ticketId}&first=${(which + client * apart - 1) * limit + 1}&limit=${limit}`,
      }),
    ];
    const progress = `/api/tickets/progress?ticket_number=${number}`;
    const { headers: answered } = await request(`${product.url}${progress}`, { headers });
    const known = { ...headers, 'if-none-match': String(answered.etag) };
    const bareProgress = () => ({ path: `/progress?ticket=${ticketId}` });
    const works: [what: string, calls: [Calls, Calls], minRatio: number][] = [
      ['page of 50, first', page(1, 50), 0.25],
      ['page of 50, middle', page(rows / 100, 50), 0.25],
      ['page of 50, last', page(rows / 50, 50), 0.25],
      ['page of 50, one per client', page(1, 50, Math.floor(rows / 50 / clients)), 0.25],
      ['page of 1000', page(rows / 2000, 1000), 0.5],
      ['page of 1000, one per client', page(1, 1000, Math.floor(rows / 1000 / clients)), 0.5],
      ['progress, changed', [() => ({ path: progress, headers }), bareProgress], 0.15],
      ['progress, unchanged', [() => ({ path: progress, headers: known }), bareProgress], 0.15],
    ];
    const measured: Row[] = [];
    for (const [, [ours, theirs]] of works) {
      await measure({ ...product, calls: ours }, warming);
      await measure({ ...bare, calls: theirs }, warming);
    }
    for (const [what, [ours, theirs], minRatio] of works) {
      const rates = await compare(
        rounds,
        () => measure({ ...product, calls: ours }),
        () => measure({ ...bare, calls: theirs }),
      );
      measured.push({ what, unit: '/CPU s', beside: 'bare route', minRatio, ...rates });
    }
    const path = `/api/imei/download?format=json&ticket_number=${number}`;
    return [...measured, await compareExports(api, `${product.url}${path}`, headers)];
  } finally {
    for (const { child, ended } of children) {
      child.kill('SIGTERM');
      await ended;
    }
    await api.close();
    await rm(folder, { recursive: true, force: true });
  }
}

async function readAddress({ stderr }: ChildProcess): Promise<string> {
  let written = '';
  return new Promise((resolve, reject) => {
    stderr?.on('data', (chunk) => {
      if (written.length < 10_000) written += chunk;
      const address = /listening at (http:[^"\s]+)/.exec(written)?.[1];
      if (address) resolve(address);
    });
    stderr?.once('end', () => reject(new Error(`it ended without an address: ${written}`)));
  });
}

/** Compares the JSON export of a ticket with a bare COPY of its rows as JSON. */
async function compareExports(api: TestApi, url: string, headers: Record<string, string>): Promise<Row> {
  const client = await api.context.db.connect();
  const download = async () =>
    (await request(url, { headers })).body.dump({ limit: Number.MAX_SAFE_INTEGER });
  const copy = () =>
    finished(client.query(copyTo('COPY (SELECT row_to_json(s) FROM serials s) TO STDOUT')).resume());
  const times = await compare(
    rounds,
    () => timeMs(download),
    () => timeMs(copy),
  );
  client.release();
  return { what: 'export as JSON', unit: 'ms', beside: 'COPY of row_to_json', maxRatio: 2, ...times };
}

/** Returns the responses per CPU second of process and database. Wall time would include other load on the machine. */
async function measure(contender: Contender, least = 0): Promise<number> {
  const { url, calls, cpu } = contender;
  const agent = new Agent({ connections: clients, pipelining: 1 });
  const began = performance.now();
  const before = await cpu();
  let answers = 0;
  await Promise.all(
    Array.from({ length: clients }, async (_, client) => {
      const { path, headers } = calls(client);
      while (performance.now() - began < roundMs || answers < least) {
        const { statusCode, body } = await request(`${url}${path}`, {
          dispatcher: agent,
          headers: headers ?? {},
        });
        if (statusCode !== 200 && statusCode !== 304) throw new Error(`${path}: ${statusCode}`);
        await body.dump({ limit: Number.MAX_SAFE_INTEGER });
        answers++;
      }
    }),
  );
  const after = await cpu();
  await agent.close();
  if (before.seconds === undefined || after.seconds === undefined) {
    return (answers * 1000) / (performance.now() - began);
  }
  // The CPU time of a closed connection's backend is unknown.
  if (before.pids.some((pid) => !after.pids.includes(pid))) return measure(contender, least);
  return answers / (after.seconds - before.seconds);
}
