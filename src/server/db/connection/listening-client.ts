import pg from 'pg';
import { Loop } from '#server/concurrency/loop.ts';
import { askDatabase } from '#server/monitoring/health.queries.ts';
import { keepAlive } from './connection.ts';

/** A lost connection that only waits for notices would never fail, so it is checked this often. */
const checkIntervalMs = 2000;
const deadlineMs = 5000;

/**
 * Creates a database connection for LISTEN, not open yet.
 * @param config options beside the timeouts
 * @returns the connection, and a loop that ends it if it goes silent; start the loop once it is open
 */
export function createListeningClient(config: pg.ClientConfig): { client: pg.Client; pulse: Loop } {
  const client = new pg.Client({
    ...config,
    ...keepAlive,
    connectionTimeoutMillis: deadlineMs,
    query_timeout: deadlineMs,
  });
  const pulse = new Loop(() => askDatabase.run(client), {
    pauseMs: () => checkIntervalMs,
    onFailure: () => void client.end(),
  });
  return { client, pulse };
}

/** Subscribes a connection to channels. */
export async function listenTo(client: pg.Client, channels: Iterable<string>): Promise<void> {
  for (const channel of channels) await client.query(`LISTEN ${pg.escapeIdentifier(channel)}`);
}
