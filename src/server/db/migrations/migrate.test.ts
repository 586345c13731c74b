import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { pino } from 'pino';
import { createEmptyDatabase, createTestDatabase } from '#tests/support/database/database.ts';
import { holdLock } from '#tests/support/database/race.ts';
import { waitFor } from '#tests/support/wait.ts';
import { type Migration, MigrationError, migrateDatabase, readMigrations } from './migrate.ts';

let database: Awaited<ReturnType<typeof createEmptyDatabase>>;
before(async () => {
  database = await createEmptyDatabase();
});
after(() => database.close());

test('two processes that start at the same time run each migration once', async () => {
  const names = (await readMigrations()).map(({ name }) => name);
  const runs = await Promise.all([migrateDatabase(database.url), migrateDatabase(database.url)]);
  assert.deepEqual(runs.flat(), names);
  const { rows } = await database.pool.query('SELECT name FROM schema_migrations ORDER BY number');
  assert.deepEqual(
    rows.map(({ name }) => name),
    names,
  );
});

test('a failing migration is rolled back, and the error names it', async () => {
  const known = await readMigrations();
  const broken = next('CREATE TABLE half_made (id integer); SELECT nonsense;');
  await assert.rejects(migrateDatabase(database.url, [...known, broken]), (error: Error) => {
    assert.ok(error instanceof MigrationError);
    assert.match(error.message, /next\.sql failed: column "nonsense"/);
    return true;
  });
  const { rows } = await database.pool.query(`SELECT to_regclass('half_made') AS made`);
  assert.deepEqual(rows, [{ made: null }]);
});

test('a migration that was edited after it ran is refused', async () => {
  const [first, ...rest] = await readMigrations();
  assert.ok(first);
  await assert.rejects(
    migrateDatabase(database.url, [{ ...first, checksum: 'other' }, ...rest]),
    /001-initial\.sql differs from the one/,
  );
});

test('a database newer than the code is refused', async () => {
  const known = await readMigrations();
  assert.deepEqual(await migrateDatabase(database.url, [...known, next('SELECT 1')]), ['next.sql']);
  await assert.rejects(
    migrateDatabase(database.url, known),
    /newer than this version of Coverdesk \(it has next\.sql\)/,
  );
});

test('a migration that waits for a table says so, lets others read, ends at a stop, and runs when it is free', async (t) => {
  const { url, pool, close } = await createTestDatabase();
  t.after(close);
  const migrations = [...(await readMigrations()), next('ALTER TABLE tickets ADD COLUMN more integer')];
  const lines: string[] = [];
  const log = pino({ level: 'warn' }, { write: (line: string) => lines.push(line) });
  const read: [string, unknown[]] = ['LOCK TABLE tickets IN ACCESS SHARE MODE', []];
  await holdLock(pool, read, async (letGo) => {
    const stop = new AbortController();
    const stopped = migrateDatabase(url, migrations, undefined, { signal: stop.signal, log });
    stopped.catch(() => undefined);
    await waitFor('the line', async () => lines.length > 0, 15_000);
    assert.match(
      lines.join(),
      /"migration":"next\.sql".*waiting for another session that uses a table of the migration/,
    );
    await pool.query('SELECT 1 FROM tickets');
    stop.abort(new Error('stopped'));
    await assert.rejects(stopped, { message: 'stopped' });

    const waiting = migrateDatabase(url, migrations, undefined, { log });
    await waitFor('the second line', async () => lines.length > 1, 15_000);
    await letGo();
    assert.deepEqual(await waiting, ['next.sql']);
  });
});

function next(sql: string): Migration {
  return { number: 999, name: 'next.sql', sql, checksum: 'next' };
}
