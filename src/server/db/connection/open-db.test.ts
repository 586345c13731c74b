import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createLog } from '#server/runtime/log.ts';
import { createTestDatabase } from '#tests/support/database/database.ts';
import { startRelay } from '#tests/support/database/relay.ts';
import { inTransaction } from '../db.ts';
import { isTransientFailure } from './connection.ts';
import { openDb } from './open-db.ts';

test('a connection that is lost while it is handed over does not end the process', async (t) => {
  const database = await createTestDatabase();
  t.after(() => database.close());
  const client = await database.db.connect();
  // As pg emits it for a message that arrives together with the one that ended the connecting.
  client.emit('error', new Error('terminating connection due to administrator command'));
  client.release(true);
  const { rows } = await database.db.query('SELECT 1 AS one');
  assert.deepEqual(rows, [{ one: 1 }]);
});

test('a transaction on a silent connection fails at its deadline, and its locks and its connection are not kept', async (t) => {
  const holder = 1234;
  const database = await createTestDatabase();
  const relay = await startRelay(database.url);
  const kind = { connect: 10_000, statement: 500, lock: 500, idleInTransaction: 500 };
  const db = openDb(relay.url, createLog('test', 'silent'), 1, kind);
  t.after(async () => {
    await db.end();
    await relay.close();
    await database.close();
  });
  await assert.rejects(
    inTransaction(db, async (tx) => {
      await tx.query('SELECT pg_advisory_xact_lock($1)', [holder]);
      relay.silence();
      await tx.query('SELECT 1');
    }),
    (error: Error) => isTransientFailure(error),
  );
  await database.db.query('SELECT pg_advisory_xact_lock($1)', [holder]);
  assert.equal((await db.query('SELECT 1')).rowCount, 1);
});
