import { setTimeout as delay } from 'node:timers/promises';
import { makeSerials } from '../../tests/support/lookups/tickets.ts';
import { uploadWorkbook } from '../../tests/support/product/client.ts';
import { makeWorkbook } from '../../tests/support/sheets/make-workbook.ts';
import { waitFor } from '../../tests/support/wait.ts';
import { type BenchProduct, readProgress } from '../support/bench-product.ts';
import { type Redis, startRedis } from '../support/redis.ts';
import { runPeer } from '../support/run-peer.ts';
import type { Stage } from '../support/stage.ts';

const concurrency = 64;
/** Enough for the rate, which is the same for more serials. */
const maxSerials = 150_000;
/** A worker frees the memory that only its work needed so long after it (src/app/server/processes/free-memory.ts). */
const settleMs = 35_000;

/** Compares lookups with bare requests, and with a queue that has a job for each serial. */
export async function measure(stage: Stage): Promise<void> {
  const redis = await startRedis();
  try {
    await measureLookups(
      stage,
      Math.min(stage.rows, maxSerials),
      typeof redis === 'string' ? undefined : redis,
    );
  } finally {
    if (typeof redis === 'string') console.error(`BullMQ skipped: ${redis}`);
    else await redis.stop();
  }
}

export async function measureLookups(stage: Stage, serials: number, redis?: Redis): Promise<void> {
  const { figures, rounds } = stage;
  // A job per serial is much slower.
  const bullmqSerials = stage.isShort ? 5_000 : 20_000;
  const { url } = await stage.upstream();
  const products = await stage.products();
  const warm = new Map<BenchProduct, number>();
  // A round as large as those that follow, without which the first growth of the heaps would count.
  for (const product of products) await lookUp(product, makeSerials('WARM', serials));
  for (const product of products) warm.set(product, await readMemoryAtRest(product));
  // Contenders take turns, so that other load on the machine affects all.
  for (let round = 0; round < rounds; round++) {
    for (const product of products) {
      const perSecond = await lookUp(product, makeSerials(`LOOK${round}X`, serials));
      figures.add('lookups', product.contender, perSecond);
    }
    const bare = await runPeer<number>('bare-loop.ts', [url, concurrency, serials]);
    figures.add('lookups', 'bare undici loop', bare);
    const [own] = products;
    if (redis && own) {
      const args = [redis.port, own.databaseUrl, url, concurrency, bullmqSerials];
      figures.add('lookups', 'BullMQ', await runPeer<number>('bullmq-loop.ts', args));
    }
  }
  for (const product of products) {
    const added = (await readMemoryAtRest(product)) - (warm.get(product) ?? 0);
    figures.add('own memory that lookups add', product.contender, added);
  }
}

/** Returns the own memory of a product once it has freed that of its work, and writes no mail about a ticket. */
async function readMemoryAtRest(product: BenchProduct): Promise<number> {
  await delay(settleMs);
  const isAtRest = async () => {
    const before = await product.readCpu();
    await delay(5000);
    return (await product.readCpu()) - before < 0.15; // 3 % of a core
  };
  await waitFor(`${product.contender} to be at rest`, isAtRest);
  return product.readOwnMegabytes();
}

/** Looks serials up. @returns the rows per second from the first result on */
async function lookUp(product: BenchProduct, serials: string[]): Promise<number> {
  const { user } = product;
  const workbook = new Uint8Array(makeWorkbook(['Serial', ...serials]));
  const { ticket } = await uploadWorkbook(user, workbook);
  let first = 0;
  while (first === 0) {
    await delay(10);
    first = (await readProgress(user, ticket.ticket_number)).done;
  }
  const began = performance.now();
  await product.waitUntilCompleted(ticket.ticket_number);
  return ((serials.length - first) * 1000) / (performance.now() - began);
}
