import pg from 'pg';
import type { Log } from '#server/runtime/log.ts';
import { backendOf, breakConnection, bytesReadFrom, ConnectionLost, isAnswerDue } from './connection.ts';
import { listWaitingBackends, terminateBackends } from './silence.queries.ts';

/** How often the connections are looked at while any of them is used. */
const lookMs = 1000;
/** A statement without a single byte of an answer for this long is asked about on another connection. */
const silentMs = 3000;
/** How long that may take. */
const askMs = 3000;

type Watched = { isOut: boolean; bytes: number; since: number; distrusted: boolean };

/**
 * Breaks the connections of a pool that were lost without a word: nothing arrives on them any more, and nothing says so.
 *
 * - answering: no answer is due, or bytes of it came lately
 * - silent: an answer has been due for some seconds, and not a byte of it came. The server is asked on a new connection:
 *   while it is at work on the statement, the wait goes on; if it waits for a statement of ours, question or answer were lost
 * - distrusted: another connection of the pool was lost, so this one ends when nobody uses it
 *
 * Without this, a slow statement and a lost one would look the same until the deadline of the slowest.
 */
export function watchForSilence(pool: pg.Pool, connectionString: string, log: Log): void {
  const clients = new Map<pg.ClientBase, Watched>();
  let asking = false;
  let isLookDue = false;

  const distrust = (client: pg.ClientBase, watched: Watched) => {
    watched.distrusted = true;
    if (!watched.isOut) breakConnection(client, new ConnectionLost('a connection beside it fell silent'));
  };

  const ask = async (silent: pg.ClientBase[]) => {
    const pids = silent.map(backendOf);
    await onNewConnection(connectionString, async (asked) => {
      const waiting = await listWaitingBackends(asked, pids);
      const lost = silent.filter((client) => {
        const watched = clients.get(client);
        return watched?.bytes === bytesReadFrom(client) && waiting.has(backendOf(client));
      });
      if (lost.length === 0) return;
      log.warn({ connections: lost.length }, 'database connections fell silent and are replaced');
      for (const client of lost)
        breakConnection(client, new ConnectionLost('the database connection fell silent'));
      for (const [client, watched] of clients) distrust(client, watched);
      await terminateBackends(asked, lost.map(backendOf));
    });
  };

  const watch = () => {
    if (!isLookDue) setTimeout(look, lookMs).unref();
    isLookDue = true;
  };

  const look = () => {
    isLookDue = false;
    if (pool.ended) return;
    if ([...clients.values()].some(({ isOut }) => isOut)) watch();
    const now = performance.now();
    const silent = [...clients].filter(([client, watched]) => {
      const bytes = bytesReadFrom(client);
      if (!isAnswerDue(client) || bytes !== watched.bytes) [watched.bytes, watched.since] = [bytes, now];
      return now - watched.since >= silentMs;
    });
    if (silent.length === 0 || asking) return;
    asking = true;
    // Where nobody answers at all, the statements' own deadlines end them.
    void ask(silent.map(([client]) => client))
      .catch((error: unknown) =>
        log.warn({ err: error }, 'the database could not be asked about a silent connection'),
      )
      .finally(() => {
        asking = false;
      });
  };

  pool.on('connect', (client) => {
    clients.set(client, {
      isOut: true,
      bytes: bytesReadFrom(client),
      since: performance.now(),
      distrusted: false,
    });
    watch();
  });
  pool.on('acquire', (client) => {
    const watched = clients.get(client);
    if (watched) [watched.isOut, watched.since] = [true, performance.now()];
    watch();
  });
  pool.on('release', (_, client) => {
    const watched = clients.get(client);
    if (!watched) return;
    watched.isOut = false;
    if (!watched.distrusted) return;
    // The pool does not keep a connection that is ending.
    void (client as pg.Client).end().catch(() => undefined);
    breakConnection(client, new ConnectionLost('a connection beside it fell silent'));
  });
  pool.on('remove', (client) => clients.delete(client));
}

async function onNewConnection(
  connectionString: string,
  work: (client: pg.Client) => Promise<void>,
): Promise<void> {
  const client = new pg.Client({ connectionString, connectionTimeoutMillis: askMs, query_timeout: askMs });
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
