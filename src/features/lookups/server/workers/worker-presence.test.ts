import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { createLog } from '#server/runtime/log.ts';
import { createTestDatabase, type TestDatabase } from '#tests/support/database/database.ts';
import { waitFor } from '#tests/support/wait.ts';
import { createWorkerPresence } from './worker-presence.ts';

let database: TestDatabase;
before(async () => {
  database = await createTestDatabase();
});
after(() => database.close());

test('a presence whose connection breaks returns with a new id, and marks the old id as gone', async (t) => {
  const { pool, url: databaseUrl } = database;
  const heard: string[] = [];
  let joined = 0;
  const presence = createWorkerPresence(databaseUrl, createLog('test', 'silent'));
  await presence.start({ colours: (payload) => heard.push(payload) }, () => {
    joined += 1;
  });
  t.after(() => presence.close());
  const first = presence.id;
  const findLocks = async () => {
    const { rows } = await pool.query<{ pid: number }>(
      `SELECT pid FROM pg_locks WHERE locktype = 'advisory'
         AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`,
    );
    return rows;
  };
  for (const { pid } of await findLocks()) await pool.query('SELECT pg_terminate_backend($1)', [pid]);
  const isBack = async () => presence.id !== undefined && presence.id !== first;
  const second = await waitFor('another id', async () => (await isBack()) && presence.id, 30_000);
  await waitFor(
    'the former ids to have gone',
    async () => {
      const { rows } = await pool.query<{ id: string }>('SELECT id FROM workers WHERE gone_at IS NULL');
      return rows.length === 1 && rows[0]?.id === presence.id;
    },
    30_000,
  );
  presence.rejoin();
  assert.equal(presence.id, undefined);
  await waitFor('a third id', async () => presence.id !== undefined && presence.id !== second, 30_000);
  assert.equal(joined, 3);
  await pool.query("SELECT pg_notify('colours', 'green')");
  await waitFor('the notice', async () => heard.includes('green'), 30_000);
  await presence.close();
  await waitFor('its lock to be free', async () => (await findLocks()).length === 0, 30_000);
});
