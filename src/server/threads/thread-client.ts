import pg from 'pg';
import { connectionOptions, type Deadlines, deadlines } from '#server/db/connection/open-db.ts';

/**
 * Creates the database connection of a thread, not open yet.
 * @param purpose shown as the application_name in pg_stat_activity
 */
export function createThreadClient(
  databaseUrl: string,
  purpose: string,
  kind: Deadlines = deadlines.request,
): pg.Client {
  const client = new pg.Client({
    ...connectionOptions(databaseUrl, kind),
    application_name: `coverdesk ${purpose}`,
  });
  // A broken connection fails the running statement, or the next one.
  client.on('error', () => undefined);
  return client;
}

/** Does work of a thread on a connection of its own, such as a write of a thread that reads from a replica. */
export async function withThreadClient(
  databaseUrl: string,
  purpose: string,
  work: (client: pg.Client) => Promise<void>,
): Promise<void> {
  const client = createThreadClient(databaseUrl, purpose);
  await client.connect();
  await work(client).finally(() => client.end());
}
