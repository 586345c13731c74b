import pg from 'pg';

/** How long the database may take to take a connection. */
const connectMs = 10_000;

/**
 * The database connection of a thread, not open yet.
 * @param purpose what it is for, in PostgreSQL's list of connections
 */
export function createThreadClient(databaseUrl: string, purpose: string): pg.Client {
  const client = new pg.Client({
    connectionString: databaseUrl,
    application_name: `coverdesk ${purpose}`,
    ...{ keepAlive: true, connectionTimeoutMillis: connectMs },
  });
  // A connection that breaks fails the statement that is under way.
  client.on('error', () => undefined);
  return client;
}
