import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { createTestApi, type TestApi } from '#tests/support/api/api.ts';
import { createUser, type TestUser } from '#tests/support/api/factories.ts';
import { uploadSheet } from '#tests/support/api/uploads.ts';
import { holdLock } from '#tests/support/database/race.ts';
import { makeWorkbook } from '#tests/support/sheets/make-workbook.ts';
import { waitFor } from '#tests/support/wait.ts';

const sheet = makeWorkbook(['356938030010004', 'C10000001']);

let api: TestApi;
let user: TestUser;
before(async () => {
  api = await createTestApi();
  user = await createUser(api);
});
after(() => api.close());

const upload = (key: string) => uploadSheet(api, user, sheet, { headers: { 'idempotency-key': key } });

test('an import that waits too long for its ticket number gets 503, and its key can be used again', {
  timeout: 60_000,
}, async () => {
  assert.equal((await upload('first')).statusCode, 201);
  const counter = `SELECT FROM counters WHERE name = 'ticket' FOR UPDATE`;
  const stalled = await holdLock(api.context.db, [counter, []], () => upload('stalled'));
  assert.deepEqual([stalled.statusCode, stalled.json().code], [503, 'unavailable']);
  assert.match(String(stalled.headers['retry-after']), /^\d+$/);
  assert.equal((await upload('stalled')).statusCode, 201);
});

test('imports continue during other maintenance of their table, which their analysis does not interrupt', {
  timeout: 60_000,
}, async () => {
  const { db } = api.context;
  const analysedAt = async () => {
    const { rows } = await db.query<{ at: Date | null }>(
      `SELECT last_analyze AS at FROM pg_stat_user_tables WHERE relname = 'serials'`,
    );
    return rows[0]?.at ?? undefined;
  };
  const before = await waitFor('the analysis of the imports before', analysedAt);
  // The lock that VACUUM takes.
  const maintenance = 'LOCK TABLE serials IN SHARE UPDATE EXCLUSIVE MODE';
  await holdLock(db, [maintenance, []], async () => {
    for (const key of ['a', 'b', 'c']) assert.equal((await upload(key)).statusCode, 201);
    // After deadlock_timeout (1 s), PostgreSQL cancels an autovacuum that another statement waits for.
    const waited: number[] = [];
    for (let look = 0; look < 100; look++) {
      const { rows } = await db.query<{ seconds: number }>(
        `SELECT extract(epoch FROM clock_timestamp() - waitstart)::float8 AS seconds FROM pg_locks
           WHERE NOT granted AND relation = 'serials'::regclass
             AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`,
      );
      waited.push(...rows.map(({ seconds }) => seconds));
      await delay(20);
    }
    assert.ok(Math.max(0, ...waited) < 1, `${Math.max(...waited)} s`);
  });
  await waitFor('the analysis', async () => {
    const at = await analysedAt();
    return at && at > before;
  });
});
