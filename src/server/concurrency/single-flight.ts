/**
 * Coalesces concurrent calls that have the same first argument, or none: they share one result. Without this, rows that
 * need a new token at the same time would take one database connection each.
 */
export function singleFlight<Args extends unknown[], R>(
  work: (...args: Args) => Promise<R>,
): (...args: Args) => Promise<R> {
  const inFlight = new Map<unknown, Promise<R>>();
  return (...args) => {
    const [key] = args;
    const running = inFlight.get(key);
    if (running) return running;
    const call = work(...args).finally(() => inFlight.delete(key));
    inFlight.set(key, call);
    return call;
  };
}
