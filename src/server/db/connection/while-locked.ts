import { ConnectionLost } from './connection.ts';
import { createListeningClient } from './listening-client.ts';
import { tryToLock, unlock } from './while-locked.queries.ts';

/**
 * Runs long work in only one of all processes. The lock belongs to a connection of its own, so it ends with the process.
 * @param number the number of the lock
 * @param work the work; its signal aborts when the lock is lost with its connection, because another process may begin then
 * @returns the result of the work; undefined without running it while another process holds the lock
 */
export async function whileLocked<T>(
  url: string,
  number: number,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T | undefined> {
  const { client: holder, pulse } = createListeningClient({ connectionString: url });
  // 'end' follows.
  holder.on('error', () => undefined);
  const controller = new AbortController();
  holder.once('end', () =>
    controller.abort(new ConnectionLost('the connection that held the lock was lost')),
  );
  let isLocked = false;
  try {
    await holder.connect();
    isLocked = (await tryToLock.one(holder, { number })).locked;
    if (!isLocked) return undefined;
    pulse.start();
    return await work(controller.signal);
  } finally {
    void pulse.stop();
    // The end of a silent connection would take long, so the lock does not wait for it.
    if (isLocked) await unlock.run(holder, { number }).catch(() => undefined);
    void holder.end();
  }
}
