import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { createTestDatabase, type TestDatabase } from '../../../../../tests/support/database.ts';
import { deleteOldEntries, keepAnswers } from './cache.queries.ts';

let database: TestDatabase;

before(async () => {
  database = await createTestDatabase();
  await database.pool.query(`
    INSERT INTO serials (ticket_id, position, sheet_row, serial, kind, state, type, fetched_at, source, egress, cached)
    VALUES (1, 1, 1, 'TWICE001', 'serial', 'done', 'newer', '2026-11-21 10:00Z', 'shop', 'direct', false),
           (2, 1, 1, 'TWICE001', 'serial', 'done', 'older', '2026-11-21 09:00Z', 'shop', 'direct', false),
           (2, 2, 2, 'OTHER001', 'serial', 'done', 'other', '2026-11-21 09:00Z', 'shop', 'proxies', false),
           (2, 3, 3, 'CACHED01', 'serial', 'done', 'again', '2026-11-21 08:00Z', 'shop', 'direct', true),
           (2, 4, 4, 'FAILED01', 'serial', 'failed', null, '2026-11-21 08:00Z', 'shop', 'direct', false),
           (2, 5, 5, 'OWNLIST1', 'serial', 'done', 'own', '2026-11-21 08:00Z', 'own', null, false)`);
});
after(() => database.close());

const shop = [{ name: 'shop', key: 'shop-1' }];
const rowsOf = (ticketId: number, count: number) =>
  Array.from({ length: count }, (_, n) => ({ ticketId, position: n + 1 }));
const readTypes = async () =>
  (await database.pool.query('SELECT source_key, serial, type, egress FROM coverage_cache ORDER BY serial'))
    .rows;

const other = { source_key: 'shop-1', serial: 'OTHER001', type: 'other', egress: 'proxies' };
const newer = { source_key: 'shop-1', serial: 'TWICE001', type: 'newer', egress: 'direct' };

test('answers are kept per source and serial, the newest of them; nothing else is', async () => {
  await keepAnswers(database.pool, shop, rowsOf(2, 5));
  assert.deepEqual(await readTypes(), [other, { ...newer, type: 'older' }]);
  await keepAnswers(database.pool, shop, [...rowsOf(1, 1), ...rowsOf(2, 5)]);
  assert.deepEqual(await readTypes(), [other, newer]);
  await keepAnswers(database.pool, shop, rowsOf(2, 1));
  assert.deepEqual(await readTypes(), [other, newer]);
});

test('answers are forgotten when they are too old to be reused', async () => {
  await database.pool.query(
    "UPDATE coverage_cache SET fetched_at = now() - interval '2 hours' WHERE type = 'other'",
  );
  await deleteOldEntries(database.pool, 1_000_000);
  assert.deepEqual(await readTypes(), [other, newer]);
  await database.pool.query("UPDATE coverage_cache SET fetched_at = now() WHERE type = 'newer'");
  await deleteOldEntries(database.pool, 1);
  assert.deepEqual(await readTypes(), [newer]);
});
