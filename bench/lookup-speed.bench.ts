import { createTestDatabase } from '../tests/support/database/database.ts';
import {
  importTicket,
  makeSerials,
  readTicket,
  waitUntilCompleted,
  waitUntilDone,
} from '../tests/support/lookups/tickets.ts';
import { prepareWorkers } from '../tests/support/lookups/worker-processes.ts';
import { readProportionalMb } from '../tests/support/product/process-tree.ts';
import { startUpstream, type Upstream, upstreamEntry } from '../tests/support/sources/upstream.ts';
import { type Bench, median, type Row } from './support/bench.ts';
import { runModule } from './support/measure.ts';
import { type Redis, startRedis } from './support/redis.ts';

const concurrency = 64;
const serials = Number(process.env.BENCH_ROWS ?? 150_000);
/** Fewer serials for a warm-up and for BullMQ: a job per serial is much slower, and the rate is the same. */
const fewSerials = 20_000;
const rounds = Number(process.env.BENCH_ROUNDS ?? 3);
const patienceMs = 600_000;

/** Compares lookups with bare requests, and with a queue that has a job for each serial. */
export const bench: Bench = {
  title: `Lookups of ${serials} serials with immediate responses, ${concurrency} at a time`,
  run,
};

async function run(): Promise<Row[]> {
  const upstream = await startUpstream();
  const redis = await startRedis();
  const product: Measured[] = [];
  const [bare, jobs]: [number[], number[]] = [[], []];
  try {
    // Alternate, so that other load on the machine affects all contenders.
    for (let round = 0; round < rounds; round++) {
      bare.push(await runModule<number>('./bare-loop.ts', [upstream.url, concurrency, serials]));
      product.push(await measureProduct(upstream));
      if (typeof redis !== 'string') jobs.push(await measureBullmq(upstream, redis));
    }
  } finally {
    await upstream.close();
    if (typeof redis !== 'string') await redis.stop();
  }
  if (typeof redis === 'string') console.log(`BullMQ skipped: ${redis}`);
  const figure = (of: keyof Measured) => median(product.map((measured) => measured[of]));
  const rate = { what: 'lookups', unit: '/s', measured: figure('perSecond') };
  const queue = { ...rate, beside: 'BullMQ, a job per serial', reference: median(jobs), minRatio: 4 };
  return [
    { ...rate, beside: 'bare undici loop', reference: median(bare), minRatio: 0.35 },
    ...(jobs.length > 0 ? [queue] : []),
    {
      what: 'memory of the worker at the end',
      unit: 'MB',
      measured: figure('endMb'),
      beside: 'once warm',
      reference: figure('warmMb'),
      goal: Math.round(figure('warmMb')) + 80,
    },
  ];
}

type Measured = { perSecond: number; warmMb: number; endMb: number };

/** Measures from the first lookups of a warm worker. */
async function measureProduct(upstream: Upstream): Promise<Measured> {
  const database = await createTestDatabase();
  const { pool } = database;
  const workers = await prepareWorkers(database.url, [upstreamEntry(upstream)]);
  try {
    const { pid } = await workers.start();
    const warmUp = await importTicket(pool, makeSerials('WARM', fewSerials));
    await waitUntilCompleted(pool, warmUp, patienceMs);
    const warmMb = await readProportionalMb([pid]);
    const id = await importTicket(pool, makeSerials('LOOK', serials));
    await pool.query('ANALYZE serials');
    await waitUntilDone(pool, id, 1);
    const first = (await readTicket(pool, id))?.done ?? 0;
    const began = performance.now();
    await waitUntilCompleted(pool, id, patienceMs);
    const perSecond = ((serials - first) * 1000) / (performance.now() - began);
    return { perSecond, warmMb, endMb: await readProportionalMb([pid]) };
  } finally {
    await workers.close();
    await database.close();
  }
}

async function measureBullmq({ url }: Upstream, { port }: Redis): Promise<number> {
  const database = await createTestDatabase();
  try {
    await importTicket(database.pool, makeSerials('BULL', fewSerials));
    await database.pool.query('ANALYZE serials');
    return await runModule('./bullmq-loop.ts', [port, database.url, url, concurrency, fewSerials]);
  } finally {
    await database.close();
  }
}
