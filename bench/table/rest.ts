import { setTimeout as delay } from 'node:timers/promises';
import type { Stage } from '../support/stage.ts';

/** Compilation and garbage collection go on so long after a start (src/app/server/processes/free-memory.ts). */
const settleMs = 25_000;

/** Measures products that have nothing to do, all at once. */
export async function measure({ products, figures, rounds, isShort }: Stage): Promise<void> {
  const started = await products();
  const restSeconds = isShort ? 10 : 20;
  await delay(settleMs);
  for (let round = 0; round < rounds; round++) {
    const before = await Promise.all(started.map((product) => product.readCpu()));
    await delay(restSeconds * 1000);
    for (const [index, product] of started.entries()) {
      const used = (await product.readCpu()) - (before[index] ?? 0);
      figures.add('CPU of a core at rest', product.contender, (100 * used) / restSeconds);
      figures.add('memory at rest, with PostgreSQL', product.contender, await product.readMegabytes());
    }
  }
}
