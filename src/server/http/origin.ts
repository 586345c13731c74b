import { AsyncLocalStorage } from 'node:async_hooks';

/** Who makes a change, and from where; both null for what the product does by itself. */
export type Origin = { actor: { id: number; email: string } | null; address: string | null };

const current = new AsyncLocalStorage<Origin>();

/** Does work on behalf of somebody: whatever it awaits knows by `currentOrigin` on whose. */
export function runFor<T>(origin: Origin, work: () => T): T {
  return current.run(origin, work);
}

/** On whose behalf the present work is done. */
export function currentOrigin(): Origin {
  return current.getStore() ?? { actor: null, address: null };
}
