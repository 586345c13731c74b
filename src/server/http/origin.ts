import { AsyncLocalStorage } from 'node:async_hooks';

/** The user, API token and address behind a change; all null for changes by the product itself. */
export type Origin = {
  actor: { id: number; email: string } | null;
  /** Null in the session of a person. */
  token: { id: number; name: string } | null;
  address: string | null;
};

const current = new AsyncLocalStorage<Origin>();

/** Runs work whose `currentOrigin` is the given one, including everything that it awaits. */
export function runAs<T>(origin: Origin, work: () => T): T {
  return current.run(origin, work);
}

/** Returns the origin of the current asynchronous context (see `runAs`). */
export function currentOrigin(): Origin {
  return current.getStore() ?? { actor: null, token: null, address: null };
}
