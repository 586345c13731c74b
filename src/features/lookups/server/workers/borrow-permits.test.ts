import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { syncSources } from '#features/sources/server/states/source-states.queries.ts';
import { createLog } from '#server/runtime/log.ts';
import { createTestDatabase, type TestDatabase } from '#tests/support/database/database.ts';
import { waitFor } from '#tests/support/wait.ts';
import { listAllocations } from '../gate/limits/allocations.queries.ts';
import { borrowPermits } from './borrow-permits.ts';

let database: TestDatabase;
const log = createLog('test', 'silent');
before(async () => {
  database = await createTestDatabase();
  await syncSources(database.pool, [{ name: 'first', key: 'first' }]);
});
after(() => database.close());

test('a worker with all of a limit returns some to a borrower, and the limit is never exceeded', async () => {
  const { db } = database;
  const entry = { name: 'first', limits: { per_second: 2 }, remote: true };
  const borrow = (maxWaitMs: number) => borrowPermits({ db, log }, entry, { sources: [entry], maxWaitMs });
  const published = async () =>
    (await listAllocations.all(db)).map(({ per_second }) => per_second ?? 0).toSorted();
  const one = await borrow(60_000);
  assert.ok(one.permits);
  assert.deepEqual(await published(), [2]);
  const hasty = await borrow(0);
  assert.equal(hasty.permits, undefined);
  await hasty.end();
  await waitFor('all of it to be back', async () => Math.max(...(await published())) === 2, 60_000);
  const other = await borrow(60_000);
  assert.ok(other.permits);
  assert.deepEqual(
    (await published()).filter((part) => part > 0),
    [1, 1],
  );
  const permit = await other.permits.take();
  assert.equal(permit.send(), true);
  permit.end();
  await Promise.all([one.end(), other.end()]);
});
