import { setTimeout as delay } from 'node:timers/promises';
import type { Stage } from '../support/stage.ts';

/** Measures products that have nothing to do, all at once. */
export async function measure({ products, figures, rounds, isShort }: Stage): Promise<void> {
  const started = await products();
  // Compilation and garbage collection go on after a start.
  const [settleSeconds, restSeconds] = isShort ? [10, 10] : [20, 20];
  await delay(settleSeconds * 1000);
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
