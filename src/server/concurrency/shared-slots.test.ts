import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { createTestDatabase, type TestDatabase } from '#tests/support/database/database.ts';
import { waitFor } from '#tests/support/wait.ts';
import { SharedSlots } from './shared-slots.ts';

let database: TestDatabase;
before(async () => {
  database = await createTestDatabase();
});
after(() => database.close());
beforeEach(() => database.db.query('TRUNCATE held_shares'));

const userOf = (id: number, companyCode: string) => ({ id, companyCode, superadmin: false });
const [ayu, budi, citra] = [userOf(1, 'ACM001'), userOf(2, 'ACM001'), userOf(3, 'ACM001')];
const other = userOf(4, 'OTH001');
const stays = new AbortController().signal;
const busy = { status: 429, code: 'busy' };

/** Creates the slots of two processes. */
const makeBoth = (maxWaitMs: number) =>
  [1, 2].map(() => new SharedSlots('exports', { concurrency: 4, maxWaitMs })) as [SharedSlots, SharedSlots];

test('two processes count the slots of a user and of a company together', async () => {
  const { db } = database;
  const [first, second] = makeBoth(30);
  await first.take(db, ayu, stays);
  await assert.rejects(second.take(db, ayu, stays), busy);
  await second.take(db, budi, stays);
  await assert.rejects(first.take(db, citra, stays), busy);
  await second.take(db, other, stays);
  await new SharedSlots('reports', { concurrency: 4, maxWaitMs: 30 }).take(db, ayu, stays);
});

test('a slot that one process releases is taken by a caller who waits in another', async () => {
  const { db } = database;
  const [first, second] = makeBoth(60_000);
  const release = await first.take(db, ayu, stays);
  const waiting = second.take(db, ayu, stays);
  release();
  (await waiting)();
  const gone = new AbortController();
  await first.take(db, budi, stays);
  const leaving = second.take(db, budi, gone.signal);
  gone.abort(new Error('gone'));
  await assert.rejects(leaving, { message: 'gone' });
});

test('a slot is not held for longer because the database’s clock was set back', async () => {
  const { db } = database;
  const [first, second] = makeBoth(30);
  await first.take(db, ayu, stays);
  await db.query("UPDATE held_shares SET expires_at = expires_at + interval '2 hours'");
  await assert.rejects(second.take(db, ayu, stays), busy);
  const { rows } = await db.query<{ seconds: number }>(
    'SELECT extract(epoch FROM expires_at - now())::float8 AS seconds FROM held_shares',
  );
  assert.ok(rows.every(({ seconds }) => seconds <= 20));
});

test('the slots of a process that died are free when they expire', async () => {
  const { db } = database;
  const [first, second] = makeBoth(30);
  await first.take(db, ayu, stays);
  await assert.rejects(second.take(db, ayu, stays), busy);
  await db.query("UPDATE held_shares SET expires_at = now() - interval '1 second'");
  (await second.take(db, ayu, stays))();
  await waitFor('the release', async () => (await db.query('SELECT FROM held_shares')).rowCount === 0);
});

test('a slot whose share expired during an outage counts again after it', async (t) => {
  t.mock.timers.enable({ apis: ['setInterval'] });
  const { db } = database;
  const [first, second] = makeBoth(30);
  const release = await first.take(db, ayu, stays);
  // As another process does with a share that was not renewed for 20 s.
  await db.query('DELETE FROM held_shares');
  t.mock.timers.tick(5000);
  const held = async () => (await db.query('SELECT FROM held_shares')).rowCount;
  await waitFor('the renewal', async () => (await held()) === 1);
  await assert.rejects(second.take(db, ayu, stays), busy);
  t.mock.timers.tick(5000);
  release();
  await waitFor('the release', async () => (await held()) === 0);
  await second.take(db, ayu, stays);
});
