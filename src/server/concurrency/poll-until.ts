import { setTimeout as delay } from 'node:timers/promises';

const pollMs = 250;

/**
 * Asks every 250 ms whether something is over.
 * @returns whether it is; false after `maxMs`
 * @throws the signal's reason
 */
export async function pollUntil(
  isOver: () => Promise<boolean>,
  maxMs: number,
  signal?: AbortSignal,
): Promise<boolean> {
  const deadline = performance.now() + maxMs;
  while (!(await isOver())) {
    if (performance.now() > deadline) return false;
    await delay(pollMs, undefined, signal && { signal });
  }
  return true;
}
