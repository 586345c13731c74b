import { ConnectionLost, openClient } from './connection.ts';
import { tryToLock } from './while-locked.queries.ts';

const connectMs = 10_000;

/**
 * Runs long work in only one of all processes. The lock belongs to a connection of its own, so it ends with the process.
 * @param number the number of the lock
 * @param work the work; its signal aborts when the lock is lost with its connection, because another process may begin then
 * @returns the result of the work; undefined without running it while another process holds the lock
 */
export async function whileLocked<T>(
  url: string,
  number: number,
  work: (lost: AbortSignal) => Promise<T>,
): Promise<T | undefined> {
  const holder = await openClient({
    connectionString: url,
    connectionTimeoutMillis: connectMs,
    query_timeout: connectMs,
    keepAlive: true,
  });
  const lost = new AbortController();
  holder.once('end', () => lost.abort(new ConnectionLost('the connection that held the lock was lost')));
  try {
    return (await tryToLock.one(holder, { number })).locked ? await work(lost.signal) : undefined;
  } finally {
    await holder.end().catch(() => undefined);
  }
}
