import assert from 'node:assert/strict';
import { after, before, it } from 'node:test';
import { steadyNow } from '#server/runtime/steady-clock.ts';
import { createTestDatabase, type TestDatabase } from '#tests/support/database/database.ts';
import { loadPendingRows } from '../fetch/pending-rows.queries.ts';
import { initialLookupState } from '../rows/lookup-state.ts';
import type { RowResult } from '../rows/row-result.ts';
import { updateLookupStates, updateResults } from './results.queries.ts';

let database: TestDatabase;

before(async () => {
  database = await createTestDatabase();
  await database.pool.query(`
    INSERT INTO clients (company_name, company_code) VALUES ('Acme', 'ACM001');
    INSERT INTO tickets (id, ticket_number, company_code, data_count, total, price, current_dollar_price)
      VALUES (1, 1, 'ACM001', 4, 4, 0.05, 16000);
    INSERT INTO serials (ticket_id, position, sheet_row, serial, kind)
      SELECT 1, n, n, 'SERIAL00' || n, 'serial' FROM generate_series(1, 6) AS n;`);
});
after(() => database.close());

function found(position: number, end: string | null): RowResult {
  return {
    position,
    serial: `SERIAL00${position}`,
    state: 'done',
    reason: null,
    details: null,
    coverage: {
      type: null,
      activation_status: 'activated',
      purchase_date: null,
      warranty_title: null,
      coverage_start_date: null,
      coverage_end_date: end,
    },
    fetchedAt: Date.now(),
    source: 'acme',
    attempts: 1,
    egress: 'direct',
    cached: false,
  };
}

it('counts each row once, also when it is written twice', async () => {
  const range = { ticketId: 1, lo: 1, hi: 4 };
  const first = [found(1, '2027-03-31'), found(2, '2027-03-15')];
  assert.deepEqual(await updateResults(database.pool, range, first), {
    done: 2,
    failed: 0,
    unavailable: 0,
    activated: 2,
    unactivated: 0,
  });
  const again = await updateResults(database.pool, range, [...first, found(3, null), found(4, '2027-03-15')]);
  assert.equal(again.done, 2);
});

it('stores the values of each row', async () => {
  const lost: RowResult = { ...found(6, null), state: 'failed', reason: 'Not found', coverage: null };
  const range = { ticketId: 1, lo: 5, hi: 6 };
  const written = await updateResults(database.pool, range, [found(5, '2028-01-31'), lost]);
  assert.deepEqual([written.done, written.failed, written.unavailable], [1, 1, 0]);
  const { rows } = await database.pool.query(
    `SELECT state, reason, activation_status, coverage_end_date, source, attempts, egress, cached, type
     FROM serials WHERE position > 4 ORDER BY position`,
  );
  const common = { source: 'acme', attempts: 1, egress: 'direct', cached: false, type: null };
  assert.deepEqual(rows, [
    {
      state: 'done',
      reason: null,
      activation_status: 'activated',
      coverage_end_date: '2028-01-31',
      ...common,
    },
    { state: 'failed', reason: 'Not found', activation_status: null, coverage_end_date: null, ...common },
  ]);
});

it('lets a row wait no longer than when its state was written, also after the database’s clock was set back', async () => {
  const { pool } = database;
  await pool.query(
    "INSERT INTO serials (ticket_id, position, sheet_row, serial, kind) VALUES (1, 9, 9, 'CLOCK', 'serial')",
  );
  const range = { ticketId: 1, lo: 9, hi: 9 };
  const readWait = async () => {
    const [row] = await loadPendingRows.all(pool, { ...range, keys: [], hours: 0 });
    return row?.wait ?? Number.NaN;
  };
  const delayed = { ...initialLookupState, source: 'acme', due: steadyNow() + 2000 };
  await updateLookupStates(pool, range, new Map([[9, delayed]]));
  const wait = await readWait();
  assert.ok(wait > 0 && wait <= 2000, `${wait} ms`);
  // The same as setting the clock back by an hour.
  await pool.query(
    "UPDATE serials SET lookup = jsonb_set(lookup, '{due}', to_jsonb((lookup ->> 'due')::float8 + 3600000)) WHERE position = 9",
  );
  assert.ok((await readWait()) <= 2000);
  await updateLookupStates(pool, range, new Map([[9, { ...delayed, due: null }]]));
  assert.ok(Number.isNaN(await readWait()), 'it does not wait');
});
