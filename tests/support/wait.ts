import { setTimeout as delay } from 'node:timers/promises';

/**
 * Asks again and again until the answer is there.
 * @param patience milliseconds after which it fails: far more than a sound product needs on a busy machine
 */
export async function waitFor<T>(
  what: string,
  ask: () => Promise<T | undefined | false>,
  patience = 120_000,
): Promise<T> {
  const deadline = Date.now() + patience;
  while (Date.now() < deadline) {
    const answer = await ask();
    if (answer !== undefined && answer !== false) return answer;
    await delay(20);
  }
  throw new Error(`waited in vain for ${what}`);
}
