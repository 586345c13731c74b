import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { createTestDatabase } from '../tests/support/database/database.ts';
import { importTicket } from '../tests/support/lookups/tickets.ts';
import { startUpstream, type Upstream } from '../tests/support/sources/upstream.ts';
import { waitFor } from '../tests/support/wait.ts';
import { type Bench, median, type Row } from './support/bench.ts';
import { setLookupStage } from './support/lookup-stage.ts';
import { type Redis, startRedis } from './support/redis.ts';
import { type Registration, setRegistration } from './support/registration.ts';

const concurrency = 64;
const serials = Number(process.env.BENCH_ROWS ?? 150_000);
/** Fewer serials for BullMQ: a job per serial is much slower, and the rate is the same. */
const jobSerials = 20_000;
const rounds = Number(process.env.BENCH_ROUNDS ?? 3);

/**
 * Compares lookups with bare requests, with a queue that has a job for each serial, without the register of devices, and
 * with a register that is written in the transactions of the results.
 */
export const bench: Bench = {
  title: `Lookups of ${serials} serials with immediate responses, ${concurrency} at a time`,
  run,
};

async function run(): Promise<Row[]> {
  const upstream = await startUpstream();
  const redis = await startRedis();
  const [bare, jobs]: [number[], number[]] = [[], []];
  const product: Record<Registration, Rates[]> = { afterwards: [], never: [], within: [] };
  try {
    // Alternate, so that other load on the machine affects all contenders.
    for (let round = 0; round < rounds; round++) {
      bare.push(await measureBare(upstream));
      for (const [registration, rates] of Object.entries(product))
        rates.push(await measureProduct(registration as Registration));
      if (typeof redis !== 'string') jobs.push(await measureBullmq(upstream, redis));
    }
  } finally {
    await upstream.close();
    if (typeof redis !== 'string') await redis.stop();
  }
  if (typeof redis === 'string') console.log(`BullMQ skipped: ${redis}`);
  const rate = (of: Registration, end: keyof Rates) => median(product[of].map((rates) => rates[end]));
  const written = {
    what: 'lookups, results written',
    unit: '/s',
    measured: rate('afterwards', 'written'),
  };
  const without = { beside: 'without the register', reference: rate('never', 'written') };
  return [
    { ...written, beside: 'bare undici loop', reference: median(bare), minRatio: 0.35 },
    ...(jobs.length > 0
      ? [{ ...written, beside: 'BullMQ, a job per serial', reference: median(jobs), minRatio: 4 }]
      : []),
    { ...written, ...without, minRatio: 0.9 },
    {
      ...written,
      ...without,
      what: 'lookups, devices registered',
      measured: rate('afterwards', 'registered'),
    },
    {
      ...written,
      ...without,
      what: 'lookups, registered in the transactions of results',
      measured: rate('within', 'written'),
    },
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

/** Rows a second until the last one is written, and until the register has all. */
type Rates = { written: number; registered: number };

/** Measures from the first lookups of a warm worker. */
async function measureProduct(registration: Registration): Promise<Rates> {
  const stage = await setLookupStage({}, {});
  const { pool } = stage.database;
  try {
    await setRegistration(pool, registration);
    const untilRegistered = () =>
      waitFor(
        'the registration of all results',
        async () => (await pool.query('SELECT FROM unregistered_results LIMIT 1')).rowCount === 0,
        120_000,
      );
    const warmUp = await stage.importSerials(20_000);
    await stage.until(warmUp, ({ status }) => status === 'Completed');
    await untilRegistered();
    const id = await stage.importSerials(serials);
    await stage.until(id, ({ done }) => done > 0);
    const { done } = await stage.readTicket(id);
    const began = performance.now();
    const rate = () => ((serials - done) * 1000) / (performance.now() - began);
    await stage.until(id, ({ status }) => status === 'Completed');
    const written = rate();
    await untilRegistered();
    return { written, registered: rate() };
  } finally {
    await stage.close();
  }
}
