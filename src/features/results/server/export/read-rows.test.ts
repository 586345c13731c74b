import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { createTestApi, type TestApi } from '#tests/support/api/api.ts';
import { createTicketWithRows, createUser } from '#tests/support/api/factories.ts';
import type { SerialRow } from '../result-rows.ts';
import { readRows } from './read-rows.ts';

let api: TestApi;
before(async () => {
  api = await createTestApi();
});
after(() => api.close());

test('in the order of the sheet, each slice selects its own rows, so that the first is not delayed', async () => {
  const { companyCode, id: createdBy } = await createUser(api);
  const rows = Array.from({ length: 6 }, () => ({ state: 'done' as const }));
  const { id } = await createTicketWithRows(api, { companyCode, createdBy, rows });
  const { db } = api.context;
  const read: SerialRow[] = [];
  const query = {
    status: 'all',
    sort: 'position',
    order: 'asc',
    state: 'done',
    today: '2026-11-28',
  } as const;
  for await (const slice of readRows(db, id, query, 2)) {
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
