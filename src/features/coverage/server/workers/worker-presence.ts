import { randomUUID } from 'node:crypto';
import pg from 'pg';
import type { Log } from '#server/log.ts';
import { addWorker } from './workers.queries.ts';

const reconnectMs = 1000;

/** Makes this process known as a worker, and receives the notices of the others. */
export type WorkerPresence = {
  /** Undefined while there is no connection; a new one after each connection. */
  readonly id: string | undefined;
  /** Comes back under a new id: the others have declared this one dead. */
  rejoin(): void;
  close(): Promise<void>;
};

export type WorkerPresenceParts = {
  databaseUrl: string;
  log: Log;
  channels: string[];
  onNotice(channel: string, payload: string): void;
  /** Called after each connection: notices may have been missed before. */
  onJoin(): void;
};

/**
 * Opens a connection for the presence alone. While it lasts, an advisory lock shows that this process is alive, and
 * notices arrive. When it breaks, another one is opened.
 */
export async function startWorkerPresence(parts: WorkerPresenceParts): Promise<WorkerPresence> {
  const { databaseUrl, log, channels, onNotice, onJoin } = parts;
  let client: pg.Client | undefined;
  let id: string | undefined;
  let closed = false;
  let timer: NodeJS.Timeout | undefined;

  const connect = async () => {
    const fresh = new pg.Client({ connectionString: databaseUrl, keepAlive: true });
    const lose = () => {
      if (client !== fresh && client !== undefined) return;
      client = undefined;
      id = undefined;
      if (!closed) timer = setTimeout(() => void retry(), reconnectMs);
    };
    fresh.on('error', (error) => log.warn({ err: error }, 'the presence connection broke'));
    await fresh.connect();
    const freshId = randomUUID();
    await addWorker(fresh, freshId);
    for (const channel of channels) await fresh.query(`LISTEN ${pg.escapeIdentifier(channel)}`);
    fresh.on('notification', ({ channel, payload }) => onNotice(channel, payload ?? ''));
    [client, id] = [fresh, freshId];
    fresh.once('end', lose);
    onJoin();
  };
  const retry = async () => {
    try {
      await connect();
    } catch (error) {
      log.warn({ err: error }, 'the presence connection could not be opened yet');
      if (!closed) timer = setTimeout(() => void retry(), reconnectMs);
    }
  };

  await connect();
  return {
    get id() {
      return id;
    },
    rejoin() {
      id = undefined;
      void client?.end().catch(() => undefined);
    },
    async close() {
      closed = true;
      clearTimeout(timer);
      await client?.end().catch(() => undefined);
    },
  };
}
