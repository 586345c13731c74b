import pg from 'pg';
import { Loop } from '#server/concurrency/loop.ts';
import { askDatabase } from '#server/monitoring/health.queries.ts';
import { breakConnection } from './connection.ts';

/** How often the connection is tried out, and how long an answer may take. A lost one would say nothing by itself. */
const pulseMs = 2000;
const deadlineMs = 5000;

/**
 * A database connection that hears notices for as long as it stands, not open yet.
 * @param config what the connection has of its own beside its deadlines
 * @returns it, and the pulse that breaks it when it falls silent: to be started once it is open
 */
export function createListeningClient(config: pg.ClientConfig): { client: pg.Client; pulse: Loop } {
  const client = new pg.Client({
    ...config,
    keepAlive: true,
    connectionTimeoutMillis: deadlineMs,
    query_timeout: deadlineMs,
  });
  const pulse = new Loop(() => askDatabase(client), {
    pauseMs: () => pulseMs,
    onFailure: (error) => breakConnection(client, error as Error),
  });
  return { client, pulse };
}

/** Has a listening connection hear some channels. */
export async function listenTo(client: pg.Client, channels: Iterable<string>): Promise<void> {
  for (const channel of channels) await client.query(`LISTEN ${pg.escapeIdentifier(channel)}`);
}
