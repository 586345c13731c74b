import { createHash, randomBytes } from 'node:crypto';
import pg from 'pg';
import { openDb } from '#server/db/connection/open-db.ts';
import type { Db } from '#server/db/db.ts';
import { migrateDatabase, readMigrations } from '#server/db/migrations/migrate.ts';
import { createLog } from '#server/runtime/log.ts';
import { findTestServer } from './test-server.ts';

/** The database of one test file, with the product's schema and no rows. `pool` is `db`. */
export type TestDatabase = { url: string; db: Db; pool: pg.Pool; close(): Promise<void> };

// The supervisor sets this for every process of the product.
process.env.SECRETS_KEY ??= 'a key of the tests, of no use elsewhere';

const templateLock = 0x436f7674;

/**
 * Creates a database for one test file: a copy of a template that was migrated once. Call `close` in `after`. It drops
 * the database.
 */
export async function createTestDatabase(): Promise<TestDatabase> {
  const server = await findTestServer();
  const name = `test_${randomBytes(8).toString('hex')}`;
  await withClient(server, async (client) => {
    // Four times as fast as the default strategy without fsync.
    await client.query(
      `CREATE DATABASE ${name} TEMPLATE ${await makeTemplate(client, server)} STRATEGY file_copy`,
    );
  });
  const url = databaseUrl(server, name);
  const db = openDb(url, createLog('test', 'silent'));
  return {
    url,
    db,
    pool: db,
    async close() {
      if (!db.ending) await db.end();
      await withClient(server, (client) => client.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`));
    },
  };
}

/** Creates a database without a schema. */
export async function createEmptyDatabase(): Promise<Omit<TestDatabase, 'db'>> {
  const server = await findTestServer();
  const name = `test_${randomBytes(8).toString('hex')}`;
  await withClient(server, (client) => client.query(`CREATE DATABASE ${name} TEMPLATE template0`));
  const url = databaseUrl(server, name);
  const pool = new pg.Pool({ connectionString: url });
  // A closing connection may still get an error because its database is dropped.
  pool.on('error', () => undefined);
  return {
    url,
    pool,
    async close() {
      await pool.end();
      await withClient(server, (client) => client.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`));
    },
  };
}

/** Creates a database with the schema before the migration `number`. `migrate` runs that and all later ones. */
export async function createOldDatabase(number: number) {
  const database = await createEmptyDatabase();
  const migrations = await readMigrations();
  await migrateDatabase(
    database.url,
    migrations.filter((migration) => migration.number < number),
  );
  return { ...database, migrate: () => migrateDatabase(database.url, migrations) };
}

/** Returns the template of the current migrations. The first caller creates it, and the others wait. */
async function makeTemplate(client: pg.Client, server: string): Promise<string> {
  const migrations = await readMigrations();
  const version = createHash('sha256')
    .update(migrations.map((m) => m.checksum).join())
    .digest('hex')
    .slice(0, 16);
  const name = `template_${version}`;
  await client.query('SELECT pg_advisory_lock($1)', [templateLock]);
  try {
    const { rowCount } = await client.query('SELECT FROM pg_database WHERE datname = $1', [name]);
    if (rowCount) return name;
    await client.query(`DROP DATABASE IF EXISTS ${name}_unfinished WITH (FORCE)`);
    await client.query(`CREATE DATABASE ${name}_unfinished TEMPLATE template0`);
    await migrateDatabase(databaseUrl(server, `${name}_unfinished`), migrations);
    await client.query(`ALTER DATABASE ${name}_unfinished RENAME TO ${name}`);
    return name;
  } finally {
    await client.query('SELECT pg_advisory_unlock($1)', [templateLock]);
  }
}

async function withClient(url: string, work: (client: pg.Client) => Promise<unknown>): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => undefined);
  await client.connect();
  try {
    await work(client);
  } finally {
    await client.end();
  }
}

function databaseUrl(server: string, name: string): string {
  const url = new URL(server);
  url.pathname = `/${name}`;
  return url.href;
}
