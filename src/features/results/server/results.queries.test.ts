import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { createTestApi, type TestApi } from '#tests/support/api.ts';
import { createTicketWithRows, createUser } from '#tests/support/factories.ts';
import { findTicketWithRows } from './results.queries.ts';

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
  const read = async ({ number }: { number: string }, offset: number) => {
    const asked = { number: Number(number), scope: companyCode };
    const found = await findTicketWithRows(db, asked, { offset, limit: 2 }, '2026-11-22');
    assert.equal(found?.ticket_number, asked.number);
    return found.rows?.map((row) => JSON.parse(row).position) ?? null;
  };
  const leave = async (total: number, without: number) => {
    await db.query('DELETE FROM serials WHERE ticket_id = $1 AND position = $2', [ticket.id, without]);
    await db.query('UPDATE tickets SET total = $2 WHERE id = $1', [ticket.id, total]);
  };
  assert.deepEqual(await read(ticket, 0), [1, 2]);
  assert.deepEqual(await read(ticket, 4), [5]);
  assert.deepEqual(await read(other, 1), [2, 3]);
  assert.equal(await read(ticket, 5), null);
  assert.equal(await read(ticket, 999_999_999_000), null);
  await leave(4, 1);
  assert.deepEqual(await read(ticket, 0), [2, 3]);
  await leave(3, 3);
  assert.equal(await read(ticket, 0), null);
  const stranger = { number: Number(other.number), scope: 'XXX001' };
  assert.equal(await findTicketWithRows(db, stranger, { offset: 0, limit: 2 }, '2026-11-22'), undefined);
});
