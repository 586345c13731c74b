import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { createTestApi, type TestApi } from '#tests/support/api.ts';
import { createTicketWithRows, createUser } from '#tests/support/factories.ts';
import { listRowPage } from './results.queries.ts';

let api: TestApi;
before(async () => {
  api = await createTestApi();
});
after(() => api.close());

test('a page of a ticket’s rows is read by position where none is missing, and not at all where some are', async () => {
  const { db } = api.context;
  const { id: createdBy, companyCode } = await createUser(api);
  const create = (count: number) =>
    createTicketWithRows(api, {
      ...{ companyCode, createdBy, status: 'Processing' },
      rows: Array.from({ length: count }, () => ({})),
    });
  const [ticket, other] = [await create(5), await create(3)];
  const read = async (id: number, offset: number, total: number) =>
    (await listRowPage(db, id, { offset, limit: 2 }, total)).map(({ position }) => position);
  assert.deepEqual(await read(ticket.id, 0, 5), [1, 2]);
  assert.deepEqual(await read(ticket.id, 4, 5), [5]);
  assert.deepEqual(await read(other.id, 1, 3), [2, 3]);
  await db.query('DELETE FROM serials WHERE ticket_id = $1 AND position = 1', [ticket.id]);
  assert.deepEqual(await read(ticket.id, 0, 4), [2, 3]);
  await db.query('DELETE FROM serials WHERE ticket_id = $1 AND position = 3', [ticket.id]);
  assert.deepEqual(await read(ticket.id, 0, 3), []);
});
