/**
 * Runs one piece of work at a time per argument: calls that come meanwhile get its result. Many rows that need a new token
 * at once then take one database connection, not one each.
 */
export function singleFlight<A, R>(work: (argument: A) => Promise<R>): (argument: A) => Promise<R> {
  const inFlight = new Map<A, Promise<R>>();
  return (argument) => {
    const present = inFlight.get(argument);
    if (present) return present;
    const call = work(argument).finally(() => inFlight.delete(argument));
    inFlight.set(argument, call);
    return call;
  };
}
