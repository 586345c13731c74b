import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { findPostmaster } from '../src/server/postgres/postmaster.ts';
import { readCpuSeconds, readProportionalMb } from '../tests/support/product/process-tree.ts';
import { type ProductProcess, startProcess } from '../tests/support/product/product-process.ts';
import type { Bench, Row } from './support/bench.ts';

const restSeconds = Number(process.env.BENCH_REST_SECONDS ?? 60);
/** The time for compilation and garbage collection after a start. */
const settleMs = 20_000;

/** Measures the start time, and the idle memory and CPU of all processes. */
export const bench: Bench = {
  title: `npm start on an empty folder and again, and ${restSeconds} s at rest: memory (PSS) and CPU of all its processes`,
  run,
};

async function run(): Promise<Row[]> {
  const folder = await mkdtemp(join(tmpdir(), 'coverdesk-bench-'));
  const dataDir = join(folder, 'measured');
  try {
    const first = await start(dataDir);
    await stop(first.product);
    const second = await start(dataDir);
    await delay(settleMs);
    // The database server is no child of npm.
    const server = await findPostmaster(join(dataDir, 'postgres', 'cluster'));
    const pids = [second.product.process.pid ?? 0, server?.pid ?? 0];
    const before = await readCpuSeconds(pids);
    await delay(restSeconds * 1000);
    const used = (await readCpuSeconds(pids)) - before;
    const memory = await readProportionalMb(pids);
    await stop(second.product);
    return [
      rowOf('ready on an empty folder', 's', first.seconds, 2),
      rowOf('ready again', 's', second.seconds, 1.5),
      rowOf('memory at rest', 'MB', memory, 320),
      rowOf('CPU at rest', '% of a core', (100 * used) / restSeconds, 0.5),
    ];
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function start(dataDir: string): Promise<{ product: ProductProcess; seconds: number }> {
  const began = performance.now();
  // Users have no compile cache for npm itself.
  const env = { DATA_DIR: dataDir, LOG_LEVEL: 'warn', NODE_COMPILE_CACHE: undefined };
  const product = startProcess('start', env, ['npm', 'start', '--silent']);
  await product.ready();
  return { product, seconds: (performance.now() - began) / 1000 };
}

/** Ends npm, which passes only the SIGINT of a terminal on, and with it the product. */
async function stop(product: ProductProcess): Promise<void> {
  product.process.kill('SIGTERM');
  await product.ended;
}

function rowOf(what: string, unit: string, measured: number, goal: number): Row {
  return { what, unit, measured, goal, beside: 'limit', reference: goal };
}
