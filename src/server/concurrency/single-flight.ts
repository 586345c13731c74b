/**
 * Coalesces concurrent calls that have the same first argument: they share one result. Without this, rows that need a
 * new token at the same time would take one database connection each.
 */
export function singleFlight<A, More extends unknown[], R>(
  work: (argument: A, ...more: More) => Promise<R>,
): (argument: A, ...more: More) => Promise<R> {
  const inFlight = new Map<A, Promise<R>>();
  return (argument, ...more) => {
    const present = inFlight.get(argument);
    if (present) return present;
    const call = work(argument, ...more).finally(() => inFlight.delete(argument));
    inFlight.set(argument, call);
    return call;
  };
}
