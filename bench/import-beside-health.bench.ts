import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { Agent, get } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { makeImeis } from '../tests/support/devices.ts';
import { makeWorkbook } from '../tests/support/make-workbook.ts';
import { type Bench, quantile, type Row } from './support/bench.ts';
import { type RealProduct, startRealProduct } from './support/real-product.ts';

const serials = 100_000;
const restMs = 5000;
const between = 5;

/** Does a large import hold up other requests? */
export const bench: Bench = { title: `GET /api/health/live while ${serials} rows are imported`, run };

async function run(): Promise<Row[]> {
  const folder = await mkdtemp(join(tmpdir(), 'coverdesk-bench-files-'));
  const file = join(folder, 'serials.xlsx');
  await writeFile(file, makeWorkbook(makeImeis(serials)));
  const product = await startRealProduct();
  try {
    // The first answers pay for what is loaded on first use.
    await pingUntil(product.url, delay(1000));
    const atRest = await pingUntil(product.url, delay(restMs));
    const during = await pingUntil(product.url, upload(product, file));
    const lookups = await pingUntil(product.url, delay(restMs));
    const beside = 'nothing imported';
    return [
      {
        what: 'median answer during the import',
        unit: 'ms',
        measured: quantile(during, 0.5),
        beside,
        reference: quantile(atRest, 0.5),
      },
      {
        what: 'longest answer during the import',
        unit: 'ms',
        measured: Math.max(...during),
        beside,
        reference: Math.max(...atRest),
        goal: 200,
      },
      {
        what: 'median answer during its lookups',
        unit: 'ms',
        measured: quantile(lookups, 0.5),
        beside,
        reference: quantile(atRest, 0.5),
      },
      {
        what: 'longest answer during its lookups',
        unit: 'ms',
        measured: Math.max(...lookups),
        beside,
        reference: Math.max(...atRest),
        goal: 200,
      },
    ];
  } finally {
    await product.stop();
    await rm(folder, { recursive: true });
  }
}

/** Asks again and again until something is over. @returns milliseconds of every answer */
async function pingUntil(url: string, over: Promise<unknown>): Promise<number[]> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const times: number[] = [];
  let going = true;
  const end = over.finally(() => {
    going = false;
  });
  while (going) {
    const begin = performance.now();
    await ping(`${url}/api/health/live`, agent);
    times.push(performance.now() - begin);
    await delay(between);
  }
  await end;
  agent.destroy();
  return times;
}

function ping(url: string, agent: Agent): Promise<void> {
  return new Promise((resolve, reject) => {
    get(url, { agent }, (response) => {
      response.resume().on('end', resolve);
      if (response.statusCode !== 200) reject(new Error(`health answered ${response.statusCode}`));
    }).on('error', reject);
  });
}

/** Resolves when the import is answered. */
async function upload({ url, user }: RealProduct, file: string): Promise<void> {
  const child = fork(fileURLToPath(new URL('./support/upload-child.ts', import.meta.url)), [
    url,
    user.token,
    file,
  ]);
  const [code] = await once(child, 'exit');
  if (code !== 0) throw new Error('the upload failed');
}
