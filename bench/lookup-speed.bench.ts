import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { createTestDatabase } from '../tests/support/database/database.ts';
import { importTicket } from '../tests/support/lookups/tickets.ts';
import { startUpstream, type Upstream } from '../tests/support/sources/upstream.ts';
import { type Bench, quantile, type Row } from './support/bench.ts';
import { setLookupStage } from './support/lookup-stage.ts';
import { type Redis, startRedis } from './support/redis.ts';

const concurrency = 64;
const serials = 150_000;
/** Fewer serials for BullMQ: a job per serial is much slower, and the rate is the same. */
const jobSerials = 20_000;
const rounds = 3;

/** Compares lookups with bare requests, and with a queue that has a job for each serial. */
export const bench: Bench = {
  title: `Lookups of ${serials} serials with immediate responses, ${concurrency} at a time`,
  run,
};

async function run(): Promise<Row[]> {
  const upstream = await startUpstream();
  const redis = await startRedis();
  const [product, bare, jobs]: [number[], number[], number[]] = [[], [], []];
  try {
    // Alternate, so that other load on the machine affects all contenders.
    for (let round = 0; round < rounds; round++) {
      bare.push(await measureBare(upstream));
      product.push(await measureProduct());
      if (typeof redis !== 'string') jobs.push(await measureBullmq(upstream, redis));
    }
  } finally {
    await upstream.close();
    if (typeof redis !== 'string') await redis.stop();
  }
  const row = (beside: string, figures: number[], minRatio: number): Row => ({
    what: 'lookups, results written',
    unit: '/s',
    measured: quantile(product, 0.5),
    beside,
    minRatio,
    reference: quantile(figures, 0.5),
  });
  if (typeof redis === 'string') console.log(`BullMQ skipped: ${redis}`);
  return [
    row('bare undici loop', bare, 0.35),
    ...(jobs.length > 0 ? [row('BullMQ, a job per serial', jobs, 4)] : []),
  ];
}

async function measureIn(module: string, args: (string | number)[]): Promise<number> {
  const child = fork(fileURLToPath(new URL(module, import.meta.url)), args.map(String));
  const ended = once(child, 'exit').then(() => []);
  const [rate] = (await Promise.race([once(child, 'message'), ended])) as [number?];
  if (rate === undefined) throw new Error(`${module} ended without a figure`);
  await ended;
  return rate;
}

const measureBare = ({ url }: Upstream) => measureIn('./support/bare-loop.ts', [url, concurrency, serials]);

async function measureBullmq({ url }: Upstream, { port }: Redis): Promise<number> {
  const database = await createTestDatabase();
  try {
    await importTicket(
      database.pool,
      Array.from({ length: jobSerials }, (_, n) => `BULL${String(n).padStart(8, '0')}`),
    );
    await database.pool.query('ANALYZE serials');
    return await measureIn('./support/bullmq-loop.ts', [port, database.url, url, concurrency, jobSerials]);
  } finally {
    await database.close();
  }
}

/** Measures from the first lookups of a warm worker until the last row is written. */
async function measureProduct(): Promise<number> {
  const stage = await setLookupStage({}, {});
  try {
    const warmUp = await stage.importSerials(20_000);
    await stage.until(warmUp, ({ status }) => status === 'Completed');
    const id = await stage.importSerials(serials);
    await stage.until(id, ({ done }) => done > 0);
    const { done } = await stage.readTicket(id);
    const began = performance.now();
    await stage.until(id, ({ status }) => status === 'Completed');
    return ((serials - done) * 1000) / (performance.now() - began);
  } finally {
    await stage.close();
  }
}
