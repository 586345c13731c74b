/**
 * Runs one piece of work at a time per first argument: calls that come meanwhile get its result. Many rows that need a new
 * token at once then take one database connection, not one each.
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
