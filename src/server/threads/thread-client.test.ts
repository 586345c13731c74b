import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { deadlines } from '#server/db/connection/open-db.ts';
import { createTestDatabase, type TestDatabase } from '#tests/support/database/database.ts';
import { createThreadClient } from './thread-client.ts';

let database: TestDatabase;
before(async () => {
  database = await createTestDatabase();
});
after(() => database.close());

for (const kind of ['request', 'imports'] as const) {
  test(`every statement of a thread has the timeouts of its kind of work: ${kind}`, async () => {
    const client = createThreadClient(database.url, 'test', deadlines[kind]);
    await client.connect();
    const { rows } = await client.query(
      `SELECT name, setting::int AS ms FROM pg_settings
         WHERE name IN ('statement_timeout', 'lock_timeout', 'idle_in_transaction_session_timeout') ORDER BY name`,
    );
    await client.end();
    const { idleInTransaction, lock, statement } = deadlines[kind];
    assert.deepEqual(
      rows.map(({ ms }) => ms),
      [idleInTransaction, lock, statement],
    );
  });
}
