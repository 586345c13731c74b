import { globSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import {
  listTree,
  readCommand,
  readCpuSeconds,
  readProportionalMb,
} from '../tests/support/product/process-tree.ts';
import { type ProductProcess, startProcess } from '../tests/support/product/product-process.ts';
import type { Bench, Row } from './support/bench.ts';

const restSeconds = Number(process.env.BENCH_REST_SECONDS ?? 60);
/** The time for compilation and garbage collection after a start. */
const settleMs = 20_000;
const limit = 'limit';

/** Measures the start time, and the idle memory and CPU of all processes. */
export const bench: Bench = {
  title: `npm start on an empty folder and again, and ${restSeconds} s at rest: memory (PSS) and CPU of all its processes`,
  run,
};

async function run(): Promise<Row[]> {
  const folder = await mkdtemp(join(tmpdir(), 'coverdesk-bench-'));
  const dataDir = join(folder, 'measured');
  const start = async () => {
    const began = performance.now();
    const product = await runNpmStart(dataDir);
    return { product, seconds: (performance.now() - began) / 1000 };
  };
  try {
    // Builds the web app if it is not up to date.
    await (await runNpmStart(join(folder, 'unmeasured'))).stop();
    const first = await start();
    await first.product.stop();
    const second = await start();
    await delay(settleMs);
    const pids = await listProcesses(second.product.process.pid ?? 0, dataDir);
    const readAll = () => Promise.all(pids.map((pid) => readCpuSeconds([pid])));
    const before = await readAll();
    await delay(restSeconds * 1000);
    const after = await readAll();
    // A database backend that ended in between is left out.
    const used = before.reduce<number>((sum, began, i) => sum + (after[i] ?? began ?? 0) - (began ?? 0), 0);
    let memory = 0;
    for (const pid of pids) {
      const megabytes = await readProportionalMb(pid);
      console.error(`  ${megabytes.toFixed(0).padStart(4)} MB  ${await readCommand(pid)}`);
      memory += megabytes;
    }
    await second.product.stop();
    return [
      goalOf('ready on an empty folder', 's', first.seconds, 2),
      goalOf('ready again', 's', second.seconds, 1.5),
      goalOf('memory at rest', 'MB', memory, 320),
      goalOf('CPU at rest', '% of a core', (100 * used) / restSeconds, 0.5),
    ];
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function runNpmStart(dataDir: string): Promise<ProductProcess> {
  // Users have no compile cache for npm itself.
  const env = { DATA_DIR: dataDir, LOG_LEVEL: 'warn', NODE_COMPILE_CACHE: undefined };
  const product = startProcess('start', env, ['npm', 'start', '--silent']);
  await product.ready();
  return product;
}

const goalOf = (what: string, unit: string, measured: number, goal: number): Row => ({
  what,
  unit,
  measured,
  goal,
  beside: limit,
  reference: goal,
});

/** Lists npm's processes and those of the database, which is not a child of npm. */
async function listProcesses(npm: number, dataDir: string): Promise<number[]> {
  const [pidFile] = globSync('**/postmaster.pid', { cwd: dataDir });
  const postmaster = pidFile && Number.parseInt(await readFile(join(dataDir, pidFile), 'utf8'), 10);
  return [...(await listTree(npm)), ...(postmaster ? await listTree(postmaster) : [])];
}
