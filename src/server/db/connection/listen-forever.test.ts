import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { createLog } from '#server/runtime/log.ts';
import { createTestDatabase, type TestDatabase } from '#tests/support/database/database.ts';
import { waitFor } from '#tests/support/wait.ts';
import { listenForever } from './listen-forever.ts';

let database: TestDatabase;
before(async () => {
  database = await createTestDatabase();
});
after(() => database.close());

test('notices arrive again after the connection broke, until it is closed', async () => {
  const { pool } = database;
  const url = new URL(database.url);
  url.searchParams.set('application_name', 'listener');
  let heard = 0;
  const listener = listenForever(url.href, createLog('test', 'silent'), {
    colours: () => {
      heard += 1;
    },
  });
  /** Sends notices until one arrives. */
  const untilHeard = async () => {
    const before = heard;
    await waitFor(
      'a notice',
      async () => {
        await pool.query('NOTIFY colours');
        return heard > before;
      },
      30_000,
    );
  };
  const findConnections = async () =>
    (
      await pool.query<{ pid: number }>(
        "SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'listener'",
      )
    ).rows;
  await untilHeard();
  const [first] = await findConnections();
  assert.ok(first);
  await pool.query('SELECT pg_terminate_backend($1)', [first.pid]);
  await waitFor('the connection to end', async () => (await findConnections())[0]?.pid !== first.pid, 30_000);
  await untilHeard();
  await listener.close();
  await waitFor('no connection', async () => (await findConnections()).length === 0, 30_000);
});
