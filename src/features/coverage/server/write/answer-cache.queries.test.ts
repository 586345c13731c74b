import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { createTestDatabase, type TestDatabase } from '#tests/support/database.ts';
import type { RowResult } from '../rows/row-result.ts';
import { deleteOldAnswers, saveAnswers } from './answer-cache.queries.ts';

let database: TestDatabase;
before(async () => {
  database = await createTestDatabase();
});
after(() => database.close());

const shop = [{ name: 'shop', key: 'shop-1' }];
const ten = Date.UTC(2026, 10, 21, 10);

function answer(serial: string, type: string, more: Partial<RowResult> = {}): RowResult {
  const coverage = {
    ...{ type, activation_status: 'activated' as const, purchase_date: '2026-01-02', warranty_title: null },
    ...{ coverage_start_date: null, coverage_end_date: '2027-01-01' },
  };
  return {
    ...{ position: 1, serial, state: 'done', reason: null, details: null, coverage, fetchedAt: ten },
    ...{ source: 'shop', attempts: 1, egress: 'direct', cached: false, ...more },
  };
}

const readTypes = async () =>
  (await database.pool.query('SELECT source_key, serial, type, egress FROM coverage_cache ORDER BY serial'))
    .rows;

const other = { source_key: 'shop-1', serial: 'OTHER001', type: 'other', egress: 'proxies' };
const newer = { source_key: 'shop-1', serial: 'TWICE001', type: 'newer', egress: 'direct' };

test('answers are kept per source and serial, the newest of them; nothing else is', async () => {
  const older = answer('TWICE001', 'older', { fetchedAt: ten - 1000 });
  await saveAnswers(database.pool, shop, [
    older,
    answer('OTHER001', 'other', { egress: 'proxies' }),
    answer('CACHED01', 'again', { cached: true }),
    answer('FAILED01', '', { state: 'failed', coverage: null }),
    answer('OWNLIST1', 'own', { source: 'own', egress: null }),
  ]);
  assert.deepEqual(await readTypes(), [other, { ...newer, type: 'older' }]);
  await saveAnswers(database.pool, shop, [answer('TWICE001', 'newer'), older]);
  assert.deepEqual(await readTypes(), [other, newer]);
  await saveAnswers(database.pool, shop, [older]);
  assert.deepEqual(await readTypes(), [other, newer]);
  const { rows } = await database.pool.query(
    "SELECT fetched_at, purchase_date, coverage_end_date FROM coverage_cache WHERE type = 'newer'",
  );
  assert.deepEqual(rows, [
    { fetched_at: new Date(ten), purchase_date: '2026-01-02', coverage_end_date: '2027-01-01' },
  ]);
});

test('answers are forgotten when they are too old to be reused', async () => {
  await database.pool.query(
    "UPDATE coverage_cache SET fetched_at = now() - interval '2 hours' WHERE type = 'other'",
  );
  await deleteOldAnswers(database.pool, 1_000_000);
  assert.deepEqual(await readTypes(), [other, newer]);
  await database.pool.query("UPDATE coverage_cache SET fetched_at = now() WHERE type = 'newer'");
  await deleteOldAnswers(database.pool, 1);
  assert.deepEqual(await readTypes(), [newer]);
});
