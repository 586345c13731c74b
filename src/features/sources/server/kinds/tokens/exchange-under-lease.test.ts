import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { createTestDatabase, type TestDatabase } from '#tests/support/database/database.ts';
import { findSession } from '../gsx/gsx-session.queries.ts';
import { exchangeUnderLease } from './exchange-under-lease.ts';
import { gsxLease } from './token-lease.queries.ts';

let database: TestDatabase;
before(async () => {
  database = await createTestDatabase();
});
after(() => database.close());

const other = '00000000-0000-4000-8000-000000000001';
const exchange = (exchanged: string[], maxWaitMs: number) =>
  exchangeUnderLease(
    {
      db: database.db,
      lease: gsxLease,
      account: 'account',
      permits: undefined,
      find: () => findSession(database.db, 'account'),
      settle: () => undefined,
      async exchange(_row, holder) {
        exchanged.push(holder);
        return 'new token';
      },
    },
    maxWaitMs,
  );

test('a call that waits too long for the lease does not reach the source, and the holder keeps the lease', async () => {
  assert.ok(await gsxLease.take(database.db, 'account', other));
  const exchanged: string[] = [];
  assert.equal(((await exchange(exchanged, 300)) as { is: string }).is, 'unreachable');
  assert.deepEqual(exchanged, []);
  const { rows } = await database.pool.query('SELECT holder FROM gsx_sessions');
  assert.deepEqual(rows, [{ holder: other }]);
});

test('a lease from before the database’s clock was set back is taken over at once', async () => {
  await database.pool.query("UPDATE gsx_sessions SET held_until = now() + interval '2 hours'");
  assert.equal((await findSession(database.db, 'account')).held, false);
  assert.ok(await gsxLease.take(database.db, 'account', other));
});

test('the lease is released after an exchange, also after a failed one', async () => {
  await gsxLease.giveBack.run(database.db, { account: 'account', holder: other });
  const exchanged: string[] = [];
  assert.equal(await exchange(exchanged, 300), 'new token');
  assert.equal(await exchange(exchanged, 300), 'new token');
  assert.equal(new Set(exchanged).size, 2);
  const failing = exchangeUnderLease({
    db: database.db,
    lease: gsxLease,
    account: 'account',
    permits: undefined,
    find: () => findSession(database.db, 'account'),
    settle: () => undefined,
    exchange: () => Promise.reject(new Error('no answer')),
  });
  await assert.rejects(failing, /no answer/);
  assert.equal((await findSession(database.db, 'account')).held, false);
});

test('a second exchange succeeds after a first one that took longer than the wait for the lease', async () => {
  let exchanges = 0;
  const result = await exchangeUnderLease(
    {
      db: database.db,
      lease: gsxLease,
      account: 'account',
      permits: undefined,
      find: () => findSession(database.db, 'account'),
      settle: () => undefined,
      async exchange() {
        exchanges += 1;
        await delay(50);
        return exchanges === 1 ? undefined : 'new token';
      },
    },
    10,
  );
  assert.equal(result, 'new token');
});
