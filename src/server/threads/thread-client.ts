import pg from 'pg';
import { connectionOptions, type Deadlines, deadlines } from '#server/db/connection/open-db.ts';

/**
 * Returns the database connection of a thread, not open yet.
 * @param purpose what it is for, in PostgreSQL's list of connections
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
  // A connection that breaks fails the statement that is under way, or the next one.
  client.on('error', () => undefined);
  return client;
}
