import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { createTestDatabase, type TestDatabase } from '#tests/support/database/database.ts';
import { importTicket } from '#tests/support/lookups/tickets.ts';
import type { RowResult } from '../rows/row-result.ts';
import { deleteOldAnswers, storeAnswers } from './answer-cache.queries.ts';

let database: TestDatabase;
let batches: { ticketId: number }[];
before(async () => {
  database = await createTestDatabase();
  const importFor = (company: string) => importTicket(database.pool, ['X'], () => 'serial', company);
  const ids = [await importFor('ONE001'), await importFor('ONE001'), await importFor('TWO001')];
  batches = ids.map((ticketId) => ({ ticketId }));
});
after(() => database.close());

const shop = [{ name: 'shop', key: 'shop-1' }];
const ten = Date.UTC(2024, 10, 21, 10);

function answer(serial: string, type: string, more: Partial<RowResult> = {}): RowResult {
  const coverage = {
    type,
    activation_status: 'activated' as const,
    purchase_date: '2026-01-02',
    warranty_title: null,
    coverage_start_date: null,
    coverage_end_date: '2027-01-01',
  };
  return {
    position: 1,
    serial,
    state: 'done',
    reason: null,
    details: null,
    coverage,
    fetchedAt: ten,
    source: 'shop',
    attempts: 1,
    egress: 'direct',
    cached: false,
    ...more,
  };
}

const readTypes = async () =>
  (
    await database.pool.query(
      `SELECT company_code, source_key, serial, type, egress FROM coverage_cache
       ORDER BY company_code, serial`,
    )
  ).rows;
/** Saves the answers for one of the tickets. */
const save = (results: RowResult[], batch = batches[0] ?? { ticketId: 0 }) =>
  storeAnswers(database.pool, shop, [{ batch, results }]);

const one = { company_code: 'ONE001', source_key: 'shop-1' };
const other = { ...one, serial: 'OTHER001', type: 'other', egress: 'proxies' };
const newer = { ...one, serial: 'TWICE001', type: 'newer', egress: 'direct' };

test('only the newest answer per company, source and serial is cached', async () => {
  const older = answer('TWICE001', 'older', { fetchedAt: ten - 1000 });
  await save([
    older,
    answer('OTHER001', 'other', { egress: 'proxies' }),
    answer('CACHED01', 'again', { cached: true }),
    answer('FAILED01', '', { state: 'failed', coverage: null }),
    answer('OWNLIST1', 'own', { source: 'own', egress: null }),
  ]);
  assert.deepEqual(await readTypes(), [other, { ...newer, type: 'older' }]);
  await save([answer('TWICE001', 'newer'), older]);
  assert.deepEqual(await readTypes(), [other, newer]);
  await save([older]);
  assert.deepEqual(await readTypes(), [other, newer]);
  const { rows } = await database.pool.query(
    "SELECT fetched_at, purchase_date, coverage_end_date FROM coverage_cache WHERE type = 'newer'",
  );
  assert.deepEqual(rows, [
    { fetched_at: new Date(ten), purchase_date: '2026-01-02', coverage_end_date: '2027-01-01' },
  ]);
});

test('the answer of a worker whose clock is ahead is replaced by the next one', async () => {
  const ahead = answer('AHEAD001', 'first', { fetchedAt: Date.now() + 30 * 86_400_000 });
  await save([ahead]);
  await save([answer('AHEAD001', 'second', { fetchedAt: Date.now() + 86_400_000 })]);
  const { rows } = await database.pool.query(
    "DELETE FROM coverage_cache WHERE serial = 'AHEAD001' RETURNING type, fetched_at <= now() AS past",
  );
  assert.deepEqual(rows, [{ type: 'second', past: true }]);
});

test('answers for tickets of several companies are cached for each company', async () => {
  const answers = batches.map((batch, index) => ({
    batch,
    results: [answer('SHARED01', `of ticket ${index}`, { fetchedAt: ten + index })],
  }));
  await storeAnswers(database.pool, shop, answers);
  // A deleted ticket has no company.
  await save([answer('DELETED1', 'x')], { ticketId: 999_999 });
  const { rows } = await database.pool.query(
    "SELECT company_code, type FROM coverage_cache WHERE serial IN ('SHARED01', 'DELETED1') ORDER BY company_code",
  );
  assert.deepEqual(rows, [
    { company_code: 'ONE001', type: 'of ticket 1' },
    { company_code: 'TWO001', type: 'of ticket 2' },
  ]);
  await database.pool.query("DELETE FROM coverage_cache WHERE serial = 'SHARED01'");
});

test('cached answers are deleted when they are too old to be reused', async () => {
  await database.pool.query(
    "UPDATE coverage_cache SET fetched_at = now() - interval '2 hours' WHERE type = 'other'",
  );
  await deleteOldAnswers.run(database.pool, { hours: 1_000_000, limit: 10 });
  assert.deepEqual(await readTypes(), [other, newer]);
  await database.pool.query("UPDATE coverage_cache SET fetched_at = now() WHERE type = 'newer'");
  await deleteOldAnswers.run(database.pool, { hours: 1, limit: 10 });
  assert.deepEqual(await readTypes(), [newer]);
});
