import pg from 'pg';
import type { Log } from '#server/runtime/log.ts';
import { backendOf, breakConnection, bytesReadFrom, ConnectionLost, isAnswerDue } from './connection.ts';
import { listWaitingBackends, terminateBackends } from './silence.queries.ts';

const checkIntervalMs = 1000;
/** A statement whose response has not progressed for this long is checked on another connection. */
const silentMs = 3000;
const checkTimeoutMs = 3000;

type Watched = { isAcquired: boolean; bytes: number; since: number; isSuspect: boolean };

/**
 * Closes the half-open connections of a pool: the network lost them, but neither side noticed. Without this, a lost
 * statement would look like a slow one until the statement timeout.
 *
 * - healthy: no response is due, or bytes of it have arrived in the last seconds
 * - silent: a response is due, but no byte of it has arrived for some seconds. A new connection asks the server about the
 *   statement. If the server is executing it, the wait continues. If the server waits for a statement, the connection is lost
 * - suspect: another connection of the pool was lost, so this one is closed when it is released
 */
export function watchForSilence(pool: pg.Pool, connectionString: string, log: Log): void {
  const clients = new Map<pg.ClientBase, Watched>();
  let isAsking = false;
  let isCheckDue = false;

  const suspect = (client: pg.ClientBase, watched: Watched) => {
    watched.isSuspect = true;
    if (!watched.isAcquired)
      breakConnection(client, new ConnectionLost('another connection of the pool fell silent'));
  };

  const closeLost = async (silent: pg.ClientBase[]) => {
    const pids = silent.map(backendOf);
    await onNewConnection(connectionString, async (fresh) => {
      const waiting = await listWaitingBackends(fresh, pids);
      const lost = silent.filter((client) => {
        const watched = clients.get(client);
        return watched?.bytes === bytesReadFrom(client) && waiting.has(backendOf(client));
      });
      if (lost.length === 0) return;
      log.warn({ connections: lost.length }, 'database connections fell silent and are replaced');
      for (const client of lost)
        breakConnection(client, new ConnectionLost('the database connection fell silent'));
      for (const [client, watched] of clients) suspect(client, watched);
      await terminateBackends(fresh, lost.map(backendOf));
    });
  };

  const watch = () => {
    if (!isCheckDue) setTimeout(check, checkIntervalMs).unref();
    isCheckDue = true;
  };

  const check = () => {
    isCheckDue = false;
    if (pool.ended) return;
    if ([...clients.values()].some(({ isAcquired }) => isAcquired)) watch();
    const now = performance.now();
    const silent = [...clients].filter(([client, watched]) => {
      const bytes = bytesReadFrom(client);
      if (!isAnswerDue(client) || bytes !== watched.bytes) [watched.bytes, watched.since] = [bytes, now];
      return now - watched.since >= silentMs;
    });
    if (silent.length === 0 || isAsking) return;
    isAsking = true;
    // If the server does not respond at all, the statement timeouts end the statements.
    void closeLost(silent.map(([client]) => client))
      .catch((error: unknown) =>
        log.warn({ err: error }, 'the database could not be asked about a silent connection'),
      )
      .finally(() => {
        isAsking = false;
      });
  };

  pool.on('connect', (client) => {
    clients.set(client, {
      isAcquired: true,
      bytes: bytesReadFrom(client),
      since: performance.now(),
      isSuspect: false,
    });
    watch();
  });
  pool.on('acquire', (client) => {
    const watched = clients.get(client);
    if (watched) [watched.isAcquired, watched.since] = [true, performance.now()];
    watch();
  });
  pool.on('release', (_, client) => {
    const watched = clients.get(client);
    if (!watched) return;
    watched.isAcquired = false;
    if (!watched.isSuspect) return;
    // Called first, because the pool drops a connection that is ending.
    void (client as pg.Client).end().catch(() => undefined);
    breakConnection(client, new ConnectionLost('another connection of the pool fell silent'));
  });
  pool.on('remove', (client) => clients.delete(client));
}

async function onNewConnection(
  connectionString: string,
  work: (client: pg.Client) => Promise<void>,
): Promise<void> {
  const client = new pg.Client({
    connectionString,
    connectionTimeoutMillis: checkTimeoutMs,
    query_timeout: checkTimeoutMs,
  });
  client.on('error', () => undefined);
  try {
    await client.connect();
    await work(client);
    void client.end().catch(() => undefined);
  } catch (error) {
    breakConnection(client, error as Error);
    throw error;
  }
}
