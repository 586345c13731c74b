import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import pg from 'pg';
import { createLog } from '#server/runtime/log.ts';
import { createTestDatabase, type TestDatabase } from '#tests/support/database/database.ts';
import { type Relay, startRelay } from '#tests/support/database/relay.ts';
import { waitFor } from '#tests/support/wait.ts';
import { type Db, inTransaction } from '../db.ts';
import { openDb } from './open-db.ts';
import { watchForSilence } from './silence-watch.ts';

let database: TestDatabase;
let relay: Relay;
let db: Db;
before(async () => {
  database = await createTestDatabase();
  relay = await startRelay(database.url);
  db = openDb(relay.url, createLog('test', 'silent'));
});
after(async () => {
  await db.end();
  await relay.close();
  await database.close();
});

test('a slow statement is not interrupted', async () => {
  const { rowCount } = await db.query('SELECT pg_sleep(6)');
  assert.equal(rowCount, 1);
});

test('a transaction on a silent connection fails soon, releases its locks, and leaves no silent connection in the pool', async () => {
  const holder = 1234;
  await Promise.all([db.query('SELECT pg_sleep(0.1)'), db.query('SELECT pg_sleep(0.1)')]);
  assert.ok(relay.open >= 2);
  const began = performance.now();
  await assert.rejects(
    inTransaction(db, async (tx) => {
      await tx.query('SELECT pg_advisory_xact_lock($1)', [holder]);
      relay.silence();
      await tx.query('SELECT 1');
    }),
    /fell silent/,
  );
  const ms = performance.now() - began;
  assert.ok(ms < 30_000, `${ms}`);
  await database.db.query('SELECT pg_advisory_xact_lock($1)', [holder]);
  await Promise.all([db.query('SELECT 1'), db.query('SELECT 1')]);
});

test('the checking connection is closed when its check times out', async (t) => {
  // Makes the check take longer than its timeout.
  await database.db.query('CREATE SCHEMA trap');
  await database.db.query(`CREATE VIEW trap.pg_stat_activity AS
    SELECT a.* FROM pg_catalog.pg_stat_activity AS a, pg_sleep(60)`);
  const trap = new URL(database.url);
  trap.searchParams.set('options', '-c search_path=trap,pg_catalog');
  const asking = await startRelay(trap.href);
  const asked = await startRelay(database.url);
  const pool = new pg.Pool({ connectionString: asked.url, max: 1 });
  pool.on('error', () => undefined);
  t.after(async () => {
    await asked.close();
    await pool.end();
    await asking.close();
  });
  watchForSilence(pool, asking.url, createLog('test', 'silent'));
  await pool.query('SELECT 1');
  asked.silence();
  void pool.query('SELECT 1').catch(() => undefined);
  await waitFor('the question', async () => asking.open > 0);
  await waitFor('its end', async () => asking.open === 0);
});
