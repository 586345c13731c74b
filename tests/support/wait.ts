import { setTimeout as delay } from 'node:timers/promises';

/** Asks again and again until the answer is there; fails after half a minute, which only a broken product needs. */
export async function waitFor<T>(what: string, ask: () => Promise<T | undefined | false>): Promise<T> {
  const deadline = Date.now() + 30_000;
  while (Date.now() < deadline) {
    const answer = await ask();
    if (answer !== undefined && answer !== false) return answer;
    await delay(20);
  }
  throw new Error(`waited in vain for ${what}`);
}
