import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { createLog } from '#server/runtime/log.ts';
import { createEmptyDatabase } from '#tests/support/database/database.ts';
import { startRelay } from '#tests/support/database/relay.ts';
import { openDb } from './connection/open-db.ts';
import { type Db, inTransaction } from './db.ts';

let database: Awaited<ReturnType<typeof createEmptyDatabase>>;
let db: Db;
before(async () => {
  database = await createEmptyDatabase();
  db = openDb(database.url, createLog('test', 'silent'), 1);
  await db.query('CREATE TABLE notes (text text)');
});
after(async () => {
  await db.end();
  await database.close();
});

const read = async () => (await db.query<{ text: string }>('SELECT text FROM notes')).rows;
const findBackend = async () =>
  (await db.query<{ pid: number }>('SELECT pg_backend_pid() AS pid')).rows[0]?.pid;

test('a failed transaction stores nothing, and its connection is used again', async () => {
  const before = await findBackend();
  const failing = inTransaction(db, async (tx) => {
    await tx.query("INSERT INTO notes VALUES ('undone')");
    throw new Error('thought better of it');
  });
  await assert.rejects(failing, /thought better of it/);
  assert.deepEqual(await read(), []);
  await assert.rejects(
    inTransaction(db, (tx) => tx.query('SELECT nothing FROM notes')),
    { code: '42703' },
  );
  await inTransaction(db, (tx) => tx.query("INSERT INTO notes VALUES ('kept')"));
  assert.deepEqual(await read(), [{ text: 'kept' }]);
  assert.equal(await findBackend(), before);
});

test('a connection is kept after a database error, even before the server is ready for the next statement', async () => {
  // The error is followed by a "ready for query" message of six bytes.
  const relay = await startRelay(database.url, { lateBytes: 6 });
  const divided = openDb(relay.url, createLog('test', 'silent'), 1);
  try {
    const find = () => divided.query('SELECT pg_backend_pid() AS pid');
    const { rows: before } = await find();
    await assert.rejects(
      inTransaction(divided, (tx) => tx.query('SELECT nothing FROM notes')),
      { code: '42703' },
    );
    assert.deepEqual((await find()).rows, before);
  } finally {
    await divided.end();
    await relay.close();
  }
});

test('a connection that is lost during a transaction is not used again', async () => {
  const before = await findBackend();
  const losing = inTransaction(db, (tx) => tx.query('SELECT pg_terminate_backend(pg_backend_pid())'));
  await assert.rejects(losing);
  assert.notEqual(await findBackend(), before);
});
