/**
 * Has calls with the same argument that come while one is under way share its result: many rows that need a new token
 * at once take one database connection, not one each.
 */
export function shareCalls<A, R>(work: (argument: A) => Promise<R>): (argument: A) => Promise<R> {
  const underWay = new Map<A, Promise<R>>();
  return (argument) => {
    const present = underWay.get(argument);
    if (present) return present;
    const call = work(argument).finally(() => underWay.delete(argument));
    underWay.set(argument, call);
    return call;
  };
}
