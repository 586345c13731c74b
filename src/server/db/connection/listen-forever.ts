import type pg from 'pg';
import { Loop } from '#server/concurrency/loop.ts';
import type { Log } from '#server/runtime/log.ts';
import { createListeningClient, listenTo } from './listening-client.ts';

const reconnectMs = 1000;

/**
 * Receives notices until it is closed. A broken or silent connection is replaced; notices in between are lost.
 * @param notices the action for each notice of the database, by channel
 */
export function listenForever(databaseUrl: string, log: Log, notices: Record<string, () => void>) {
  let client: pg.Client | undefined;
  const connect = async () => {
    if (client) return;
    const { client: fresh, pulse } = createListeningClient({ connectionString: databaseUrl });
    // 'end' follows.
    fresh.on('error', (error) => log.warn({ err: error }, 'the connection for notices broke'));
    fresh.once('end', () => {
      void pulse.stop();
      if (client === fresh) client = undefined;
    });
    fresh.on('notification', ({ channel }) => notices[channel]?.());
    try {
      await fresh.connect();
      await listenTo(fresh, Object.keys(notices));
    } catch (error) {
      void fresh.end();
      throw error;
    }
    client = fresh;
    pulse.start();
  };
  const loop = new Loop(connect, {
    pauseMs: () => reconnectMs,
    onFailure: (error) => log.warn({ err: error }, 'the connection for notices could not be opened yet'),
  });
  loop.wake();
  return {
    /** Does not wait for the connection to close, because a silent one takes long. */
    async close() {
      await loop.stop();
      void client?.end();
    },
  };
}
