import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { createTestDatabase, type TestDatabase } from '#tests/support/database.ts';
import { describeRow, type RowFilter } from '../coverage-rows.ts';
import { readJsonRows, readRows } from './export-rows.queries.ts';

let database: TestDatabase;
before(async () => {
  database = await createTestDatabase();
});
after(() => database.close());

const today = '2026-11-22';
const control = Array.from({ length: 31 }, (_, i) => String.fromCharCode(i + 1)).join('');
const texts = [
  ...[
    control,
    '\u007f\u0080\u009f',
    '"\\/\\"',
    "'<>&",
    '\u2028\u2029\ufeff\u200b',
    '😀 𝕏 é ñ 漢',
    '',
    ' a ',
    '\\u0041',
  ],
];
const days = [
  '2026-11-21',
  today,
  '2026-11-23',
  '2026-12-31',
  '2027-11-22',
  '2000-02-29',
  '2999-12-31',
  '0999-01-02',
];
const instants = [
  '2026-11-20T10:00:00Z',
  '2026-11-20T10:00:00.1Z',
  '2026-11-20T10:00:00.123999Z',
  '2026-11-20T23:59:59.9996Z',
];
const of = <T>(list: T[], i: number) => list[i % list.length] ?? null;

/** Rows of all kinds: each column goes through its values at a pace of its own. */
const rows = Array.from({ length: 400 }, (_, i) => ({
  position: i + 1,
  serial: of(texts, i) || 'S',
  state: of(['done', 'failed', 'pending'], i),
  reason: of([null, 'Not found', ...texts], i),
  details: of([null, ...texts], i),
  type: of([null, ...texts], i * 3),
  activation: of([null, 'activated', 'unactivated'], i >> 2),
  purchase: of([null, ...days], i),
  title: of([null, ...texts], i * 5),
  start: of([null, ...days], i * 2),
  end: of([null, ...days], i * 7),
  fetched: of([null, ...instants], i),
  source: of([null, ...texts], i * 2),
  original: of([null, ...texts], i * 7),
  attempts: i % 3,
  egress: of([null, 'direct', 'proxies'], i),
  cached: of([null, true, false], i),
}));

test('rows that are read column by column are byte for byte those that are read row by row', async () => {
  await database.pool.query(`INSERT INTO clients (company_name, company_code) VALUES ('Acme', 'ACM001')`);
  await database.pool.query(
    `INSERT INTO tickets (id, ticket_number, company_code, data_count, total, price, current_dollar_price)
     VALUES (7, 1, 'ACM001', 400, 400, 0.05, 16000)`,
  );
  await database.pool.query(
    `INSERT INTO serials (ticket_id, position, sheet_row, serial, original, state, reason, details, type, activation_status,
       purchase_date, warranty_title, coverage_start_date, coverage_end_date, fetched_at, source, attempts, egress, cached)
     SELECT 7, position, position, serial, original, state, reason, details, type, activation, purchase, title, start, "end",
       fetched, source, attempts, egress, cached
     FROM jsonb_to_recordset($1) AS r(position integer, serial text, original text, state serial_state, reason text,
       details text, type text, activation activation, purchase date, title text, start date, "end" date,
       fetched timestamptz, source text, attempts smallint, egress text, cached boolean)`,
    [JSON.stringify(rows)],
  );
  const client = await database.pool.connect();
  try {
    const compare = async (filter: RowFilter) => {
      const described = [];
      for await (const batch of readRows(client, 7, filter, 100)) {
        described.push(...batch.map((row) => JSON.stringify(describeRow(row, today))));
      }
      const written = [];
      let length = 0;
      for await (const batch of readJsonRows(client, 7, filter, today, 100)) {
        written.push(batch.json);
        length += batch.length;
      }
      assert.ok(length > 30);
      assert.equal(length, described.length);
      assert.equal(written.join(',\n'), described.join(',\n'));
    };
    for (const filter of [undefined, 'activated', 'failed'] as const) await compare(filter);
    // Rows that are gone leave gaps, and whole batches of positions without any row.
    await client.query('DELETE FROM serials WHERE position BETWEEN 50 AND 310 OR position % 7 = 0');
    await compare(undefined);
  } finally {
    client.release();
  }
});
