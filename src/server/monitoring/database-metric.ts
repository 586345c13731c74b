import type { Counter, Gauge } from 'prom-client';

/**
 * Returns the `collect` of a metric that is read from the database.
 * @param read sets the values. If it fails, this metric is left out, and all others are still answered
 */
export function fromDatabase<M extends Gauge | Counter>(
  read: (metric: M) => Promise<void>,
): (this: M) => Promise<void> {
  return async function () {
    await read(this).catch(() => {
      this.reset();
      // A reset leaves a metric without labels at 0.
      this.remove({});
    });
  };
}
