import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { createTestApi, type TestApi } from '#tests/support/api.ts';
import { createTicketWithRows, createUser } from '#tests/support/factories.ts';
import { deleteMarkedRows, markRowDeletion, resumeRowDeletions } from './row-deletions.service.ts';

let api: TestApi;
let ticketId: number;

before(async () => {
  api = await createTestApi();
  const user = await createUser(api);
  const { id } = await createTicketWithRows(api, {
    companyCode: user.companyCode,
    createdBy: user.id,
    status: 'Cancelled',
    rows: Array.from({ length: 25_000 }, (_, index) => (index % 2 ? { state: 'done' } : {})),
  });
  ticketId = id;
});
after(() => api.close());

const countRows = async (condition: string) => {
  const { rows } = await api.context.db.query<{ count: number }>(
    `SELECT count(*) FROM serials WHERE ticket_id = $1 AND ${condition}`,
    [ticketId],
  );
  return rows[0]?.count;
};
const flag = async (name: string) => {
  await api.context.db.query(`UPDATE tickets SET ${name} = true WHERE id = $1`, [ticketId]);
  await markRowDeletion(api.context.db, ticketId);
};

test('with the serials gone, rows without an outcome go', async () => {
  await flag('serial_deleted');
  await deleteMarkedRows(api.context.db, ticketId);
  assert.equal(await countRows("state = 'done'"), 12_500);
  assert.equal(await countRows('true'), 12_500);
});

test('what a crash left is finished at the next start; two at once do no harm', async () => {
  await flag('coverage_deleted');
  await Promise.all([resumeRowDeletions(api.context.db), deleteMarkedRows(api.context.db, ticketId)]);
  assert.equal(await countRows('true'), 0);
  const { rows } = await api.context.db.query('SELECT FROM row_deletions');
  assert.equal(rows.length, 0);
});

test('a ticket without rows, and one that nothing is to be deleted of', async () => {
  await flag('coverage_deleted');
  await deleteMarkedRows(api.context.db, ticketId);
  await deleteMarkedRows(api.context.db, ticketId);
  const { rows } = await api.context.db.query('SELECT FROM row_deletions');
  assert.equal(rows.length, 0);
});
