import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { finished } from 'node:stream/promises';
import { fileURLToPath } from 'node:url';
import { to as copyTo } from 'pg-copy-streams';
import { Agent, request } from 'undici';
import { createTestApi, type TestApi } from '../tests/support/api/api.ts';
import { createUser } from '../tests/support/api/factories.ts';
import { startProcess } from '../tests/support/product/product-process.ts';
import type { Bench, Row } from './support/bench.ts';
import { startDirectus } from './support/directus.ts';
import { compare, timeMs, watchCpu } from './support/measure.ts';
import { storeTickets } from './support/stored-tickets.ts';

const rows = Number(process.env.BENCH_ROWS ?? 1_000_000);
const clients = 10;
/** The folder where `npm install directus` was run, for a comparison. */
const directusFolder = process.env.BENCH_DIRECTUS;
const roundMs = 2000;
const rounds = Number(process.env.BENCH_ROUNDS ?? 3);
/** The unmeasured responses of each kind, so that the JIT compiler has run. */
const warmUpResponses = 1500;

/** Compares the read throughput of one API process with a bare route that only runs the query. */
export const bench: Bench = {
  title: `Reads by ${clients} clients, of a ticket of ${rows} rows, beside a bare Fastify route with one named statement`,
  run,
};

/** Returns the path of each client's call. */
type Paths = (client: number) => string;
type Contender = { url: string; headers: Record<string, string>; readCpu: () => Promise<number> };

async function run(): Promise<Row[]> {
  const api = await createTestApi();
  const folder = await mkdtemp(join(tmpdir(), 'coverdesk-bench-'));
  const product = startProcess('start --api', {
    DATABASE_URL: api.context.databaseUrl,
    DATA_DIR: folder,
    JWT_SECRET: api.context.jwtSecret,
    SECRETS_KEY: 'a key of the bench, of no use elsewhere',
    LOG_LEVEL: 'warn',
  });
  const bare = fork(fileURLToPath(new URL('support/bare-route.ts', import.meta.url)), [
    api.context.databaseUrl,
  ]);
  try {
    const ticket = await storeTickets(api, { tickets: 1, rows });
    const { token } = await createUser(api, { companyCode: ticket.companyCode });
    const [bareUrl] = await once(bare, 'message');
    const headers = { authorization: `Bearer ${token}` };
    const ours = {
      url: await product.ready(),
      headers,
      readCpu: await watchCpu(api, product.process.pid ?? 0),
    };
    const theirs = { url: bareUrl, headers: {}, readCpu: await watchCpu(api, bare.pid ?? 0) };
    const progress = `/api/tickets/progress?ticket_number=${ticket.number}`;
    const { headers: answered, body } = await request(`${ours.url}${progress}`, { headers });
    await body.dump();
    const unchanged = { ...ours, headers: { ...headers, 'if-none-match': String(answered.etag) } };
    const page = (client: number, limit: number) => 1 + client * Math.floor(rows / limit / clients);
    const pages = (limit: number): [Paths, Paths] => [
      (client) => `/api/imei?ticket_number=${ticket.number}&page=${page(client, limit)}&limit=${limit}`,
      (client) => `/page?ticket=${ticket.id}&first=${(page(client, limit) - 1) * limit + 1}&limit=${limit}`,
    ];
    const bareProgress = () => `/progress?ticket=${ticket.id}`;
    const works: [what: string, contender: Contender, paths: [Paths, Paths], minRatio: number][] = [
      ['page of 50', ours, pages(50), 0.25],
      ['page of 1000', ours, pages(1000), 0.5],
      ['progress, changed', ours, [() => progress, bareProgress], 0.15],
      ['progress, unchanged', unchanged, [() => progress, bareProgress], 0.15],
    ];
    const measured: Row[] = [];
    for (const [what, contender, [path, barePath], minRatio] of works) {
      await measure(contender, path, warmUpResponses);
      await measure(theirs, barePath, warmUpResponses);
      const rates = await compare(
        rounds,
        () => measure(contender, path),
        () => measure(theirs, barePath),
      );
      measured.push({ what, unit: '/CPU s', beside: 'bare route', minRatio, ...rates });
    }
    if (directusFolder) {
      const [path] = pages(50);
      const theirPath = (client: number) =>
        `/items/listed_rows?filter[ticket_id][_eq]=${ticket.id}&sort=position&limit=50&meta=filter_count&page=${page(client, 50)}`;
      measured.push(await compareWithDirectus(api, directusFolder, ours, [path, theirPath]));
    }
    const path = `/api/imei/download?format=json&ticket_number=${ticket.number}`;
    return [...measured, await compareExports(api, `${ours.url}${path}`, headers)];
  } finally {
    bare.disconnect();
    await product.stop();
    await api.close();
    await rm(folder, { recursive: true });
  }
}

/** Compares pages of 50 with those of Directus, in a copy of the rows with the only kind of key that it knows. */
async function compareWithDirectus(
  api: TestApi,
  folder: string,
  ours: Contender,
  [path, theirPath]: [Paths, Paths],
): Promise<Row> {
  await api.context.db.query(
    `CREATE TABLE listed_rows AS SELECT (row_number() OVER ())::integer AS id, * FROM serials`,
  );
  await api.context.db.query('ALTER TABLE listed_rows ADD PRIMARY KEY (id)');
  await api.context.db.query('CREATE INDEX ON listed_rows (ticket_id, position)');
  await api.context.db.query('VACUUM (ANALYZE) listed_rows');
  const directus = await startDirectus(folder, api.context.databaseUrl);
  try {
    const theirs = { ...directus, readCpu: await watchCpu(api, directus.pid) };
    await measure(theirs, theirPath);
    const rates = await compare(
      rounds,
      () => measure(ours, path),
      () => measure(theirs, theirPath),
    );
    return { what: 'page of 50', unit: '/CPU s', beside: 'Directus', minRatio: 20, ...rates };
  } finally {
    await directus.stop();
  }
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

/**
 * Returns the responses per CPU second of process and database. Wall time would include other load on the machine.
 * @param least the minimum number of responses
 */
async function measure({ url, headers, readCpu }: Contender, pathOf: Paths, least = 0): Promise<number> {
  const agent = new Agent({ connections: clients, pipelining: 1 });
  const began = performance.now();
  const before = await readCpu();
  let answers = 0;
  const ask = async (path: string) => {
    while (performance.now() - began < roundMs || answers < least) {
      const { statusCode, body } = await request(`${url}${path}`, { dispatcher: agent, headers });
      if (statusCode !== 200 && statusCode !== 304) throw new Error(`${path}: ${statusCode}`);
      await body.dump({ limit: Number.MAX_SAFE_INTEGER });
      answers++;
    }
  };
  await Promise.all(Array.from({ length: clients }, (_, client) => ask(pathOf(client))));
  const seconds = (await readCpu()) - before;
  await agent.close();
  return answers / seconds;
}
