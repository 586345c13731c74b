import { randomUUID } from 'node:crypto';
import type pg from 'pg';
import { Loop } from '#server/concurrency/loop.ts';
import { createListeningClient, listenTo } from '#server/db/connection/listening-client.ts';
import type { Log } from '#server/runtime/log.ts';
import { addWorker, markWorkerGone } from './workers.queries.ts';

const reconnectMs = 1000;

/** Registers this process as a worker, and receives notices. */
export type WorkerPresence = {
  /** Undefined without a connection. Each connection has a new id. */
  readonly id: string | undefined;
  /**
   * Opens the connection, and keeps one open from then on.
   * @param notices the action for each notice of the database, by channel
   * @param onJoin called after each connection, because notices may have been missed
   */
  start(notices: Record<string, (payload: string) => void>, onJoin: () => void): Promise<void>;
  /** Reconnects with a new id, because the other workers have marked this one as gone. */
  rejoin(): void;
  /** Ends the connection, and opens none any more. */
  close(): Promise<void>;
};

/**
 * Creates a presence. While its connection lasts, an advisory lock shows that this process is alive, and notices arrive. A
 * broken or silent connection is replaced.
 */
export function createWorkerPresence(databaseUrl: string, log: Log): WorkerPresence {
  let client: pg.Client | undefined;
  let id: string | undefined;
  let closed = false;
  /** The id of the previous connection, until it is marked as gone. */
  let goneId: string | undefined;

  /** Does not wait for the connection to close, because a silent one takes long. */
  const leave = () => {
    void client?.end();
    client = undefined;
    id = undefined;
  };

  const connect = async (notices: Parameters<WorkerPresence['start']>[0], onJoin: () => void) => {
    const { client: fresh, pulse } = createListeningClient({ connectionString: databaseUrl });
    fresh.on('error', (error) => {
      if (!closed) log.warn({ err: error }, 'the presence connection broke');
    });
    fresh.once('end', () => {
      void pulse.stop();
      if (client !== fresh) return;
      goneId = id;
      client = undefined;
      id = undefined;
    });
    try {
      await fresh.connect();
      const freshId = randomUUID();
      await addWorker(fresh, freshId);
      await listenTo(fresh, Object.keys(notices));
      fresh.on('notification', ({ channel, payload }) => notices[channel]?.(payload ?? ''));
      [client, id] = [fresh, freshId];
      onJoin();
      // This process uses no holdings of the old id, but the server may still have the old connection.
      if (goneId !== undefined) await markWorkerGone.run(fresh, { id: goneId });
      goneId = undefined;
      pulse.start();
    } catch (error) {
      client = undefined;
      id = undefined;
      void fresh.end();
      throw error;
    }
  };

  let reconnection: Loop | undefined;
  return {
    async start(notices, onJoin) {
      await connect(notices, onJoin);
      reconnection = new Loop(() => (client ? Promise.resolve() : connect(notices, onJoin)), {
        pauseMs: () => reconnectMs,
        onFailure: (error) => log.warn({ err: error }, 'the presence connection could not be opened yet'),
      });
      reconnection.start();
    },
    get id() {
      return id;
    },
    rejoin: leave,
    async close() {
      closed = true;
      await reconnection?.stop();
      leave();
    },
  };
}
