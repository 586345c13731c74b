import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createTestDatabase } from '#tests/support/database/database.ts';

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
