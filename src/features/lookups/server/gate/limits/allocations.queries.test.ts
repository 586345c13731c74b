import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, test } from 'node:test';
import { syncSources } from '#features/sources/server/states/source-states.queries.ts';
import { createTestDatabase, type TestDatabase } from '#tests/support/database/database.ts';
import { renewPresence } from '../../workers/workers.queries.ts';
import { type AllocationRow, listAllocations, writeAllocations } from './allocations.queries.ts';

let database: TestDatabase;
before(async () => {
  database = await createTestDatabase();
});
after(() => database.close());

test('an allocation is written only if it has changed', async () => {
  const { pool } = database;
  const worker = randomUUID();
  await renewPresence(pool, worker);
  await syncSources(pool, [{ name: 'shop', key: 'shop' }]);
  const first: AllocationRow = { source: 'shop', worker, wants: true, per_second: 5, concurrency: null };
  const versionOf = async () => (await pool.query('SELECT xmin::text AS version FROM source_shares')).rows[0];
  await writeAllocations.run(pool, { rows: [first] });
  const written = await versionOf();
  await writeAllocations.run(pool, { rows: [first] });
  assert.deepEqual(await versionOf(), written);
  await writeAllocations.run(pool, { rows: [{ ...first, per_second: 4 }] });
  assert.notDeepEqual(await versionOf(), written);
  assert.deepEqual(await listAllocations.all(pool), [{ ...first, per_second: 4 }]);
});
