import { join } from 'node:path';
import { startByNpm } from '../support/bench-product.ts';
import type { Stage } from '../support/stage.ts';

/** Starts the product on an empty folder, then again. */
export async function measure({ checkouts, figures, folder, rounds }: Stage): Promise<void> {
  // A start takes a second, so more of them cost nothing.
  const starts = 2 * rounds;
  for (let start = 0; start <= starts; start++) {
    for (const { contender, checkout } of checkouts) {
      const product = await startByNpm({ checkout, dataDir: join(folder, `start-${contender}`) });
      await product.stop();
      const figure = start === 0 ? 'start on an empty folder' : 'warm start';
      figures.add(figure, contender, product.seconds);
    }
  }
}
