import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { createTestDatabase, type TestDatabase } from '#tests/support/database.ts';
import { type Relay, startRelay } from '#tests/support/relay.ts';
import { type Db, inTransaction } from './db.ts';
import { createLog } from './log.ts';
import { openDb } from './open-db.ts';

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

test('a statement that takes its time is waited for', async () => {
  const { rowCount } = await db.query('SELECT pg_sleep(6)');
  assert.equal(rowCount, 1);
});

test('a transaction on a connection that fell silent fails soon, lets go of its locks, and leaves no silent connection', async () => {
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
