import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { createTestDatabase, type TestDatabase } from '#tests/support/database/database.ts';
import { hasCome } from './has-come.ts';

let database: TestDatabase;
before(async () => {
  database = await createTestDatabase();
});
after(() => database.close());

test('a time has come when it is past, or further away than its longest wait', async () => {
  for (const [seconds, expected] of [
    [0, true],
    [60, false],
    [3600, false],
    [3700, true],
    [null, null],
  ] as const) {
    const { rows } = await database.db.query(
      `SELECT ${hasCome('at', 3600)} AS come FROM (SELECT now() + make_interval(secs => $1) AS at) AS stored`,
      [seconds],
    );
    assert.deepEqual([seconds, rows[0]?.come], [seconds, expected]);
  }
});
