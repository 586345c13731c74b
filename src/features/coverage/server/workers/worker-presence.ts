import { randomUUID } from 'node:crypto';
import pg from 'pg';
import type { Log } from '#server/log.ts';
import { joinWorkers } from './workers.queries.ts';

const reconnectMs = 1000;

/** This process's place among the workers, and what it is told by the others. */
export type Membership = {
  /** Undefined while the connection is away; another one after each return. */
  readonly id: string | undefined;
  /** Gives up the present id: it was taken for gone. */
  rejoin(): void;
  close(): Promise<void>;
};

export type MembershipParts = {
  databaseUrl: string;
  log: Log;
  channels: string[];
  onNotice(channel: string, payload: string): void;
  /** Called after each (re)connection: notices may have been missed. */
  onJoin(): void;
};

/**
 * Joins the workers on a connection of its own: while it stands, an advisory lock shows this process to be alive, and
 * notices arrive. Comes back by itself when the connection breaks.
 */
export async function joinMembership(parts: MembershipParts): Promise<Membership> {
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
    fresh.on('error', (error) => log.warn({ err: error }, 'the connection to the other workers was lost'));
    await fresh.connect();
    const freshId = randomUUID();
    await joinWorkers(fresh, freshId);
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
      log.warn({ err: error }, 'the other workers cannot be reached yet');
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
