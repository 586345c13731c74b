import { setTimeout as delay } from 'node:timers/promises';

/**
 * Polls until there is a result.
 * @param timeoutMs the timeout in milliseconds: far more than a working product needs on a busy machine
 */
export async function waitFor<T>(
  what: string,
  ask: () => Promise<T | undefined | false>,
  timeoutMs = 120_000,
): Promise<T> {
  const deadline = Date.now() + timeoutMs;
  while (Date.now() < deadline) {
    const answer = await ask();
    if (answer !== undefined && answer !== false) return answer;
    await delay(20);
  }
  throw new Error(`waited in vain for ${what}`);
}
