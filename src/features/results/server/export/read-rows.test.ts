import assert from 'node:assert/strict';
import { after, before, type TestContext, test } from 'node:test';
import type pg from 'pg';
import { batchesWithFields } from '#features/devices/server/devices.service.ts';
import type { Queryable } from '#server/db/db.ts';
import { createTestApi, type TestApi } from '#tests/support/api/api.ts';
import { createTicketWithRows, createUser } from '#tests/support/api/factories.ts';
import type { SerialRow } from '../result-rows.ts';
import { readRows } from './read-rows.ts';

let api: TestApi;
before(async () => {
  api = await createTestApi();
});
after(() => api.close());

const rowQuery = {
  status: 'all',
  sort: 'position',
  order: 'asc',
  state: 'done',
  today: '2026-11-28',
} as const;

test('in the order of the sheet, each slice selects its own rows, so that the first is not delayed', async () => {
  const { companyCode, id: createdBy } = await createUser(api);
  const rows = Array.from({ length: 6 }, () => ({ state: 'done' as const }));
  const { id } = await createTicketWithRows(api, { companyCode, createdBy, rows });
  const { db } = api.context;
  const read: SerialRow[] = [];
  for await (const slice of readRows(db, id, rowQuery, 2)) {
    if (read.length === 0) {
      await db.query(`UPDATE serials SET fetched_at = '2026-01-01T09:30:00.123999+07:00' WHERE position = 5`);
      await db.query(`UPDATE serials SET state = 'failed', reason = 'Not found' WHERE position = 6`);
    }
    read.push(...slice);
  }
  assert.deepEqual(
    read.map(({ position }) => position),
    [1, 2, 3, 4, 5],
  );
  assert.deepEqual(read[4]?.fetched_at, new Date('2026-01-01T02:30:00.123Z'));
});

const [first, last] = [['deletions asked', 'slice asked'], 'deletions asked'];

/** Returns the order of what happens while a ticket of 6 rows is read in slices of 2. */
async function readSlices(t: TestContext, ownFields: { key: string; name: string }[]): Promise<string[]> {
  const { companyCode, id: createdBy } = await createUser(api);
  const rows = Array.from({ length: 6 }, () => ({ state: 'done' as const }));
  const { id } = await createTicketWithRows(api, { companyCode, createdBy, rows });
  const events: string[] = [];
  const kinds = { json_agg: 'slice', device_fields: 'values', coverage_deleted: 'deletions' };
  const { db } = api.context;
  const query = (asked: pg.QueryConfig) => {
    const [, kind] = Object.entries(kinds).find(([word]) => asked.text.includes(word)) ?? [];
    events.push(`${kind} asked`);
    return db.query(asked);
  };
  const parse = JSON.parse;
  t.mock.method(JSON, 'parse', (...given: Parameters<typeof parse>) => {
    events.push('parsed');
    return parse(...given);
  });
  const client = { query } as Queryable;
  const batches = readRows(client, id, rowQuery, 2);
  for await (const slice of batchesWithFields(client, companyCode, ownFields, batches))
    events.push(`${slice.length} rows`);
  return events;
}

test('the next slice is asked for before one is parsed, and nothing else is, so that the database never waits', async (t) => {
  const slice = ['slice asked', 'parsed', '2 rows'];
  assert.deepEqual(await readSlices(t, []), [...first, ...slice, ...slice, ...slice, last]);
});

test('values of own columns are asked for once for each slice', async (t) => {
  const slice = ['slice asked', 'parsed', 'values asked', '2 rows'];
  const events = await readSlices(t, [{ key: 'site', name: 'Site' }]);
  assert.deepEqual(events, [...first, ...slice, ...slice, ...slice, last]);
});
