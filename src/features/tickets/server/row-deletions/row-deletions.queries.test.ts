import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { createTestApi, type TestApi } from '#tests/support/api/api.ts';
import { createTicketWithRows, createUser, type TestUser } from '#tests/support/api/factories.ts';
import { deleteDuplicates, listRowDeletions, markRowDeletion, rowChanges } from './row-deletions.queries.ts';

let api: TestApi;
let user: TestUser;
let first: number;
let second: number;

before(async () => {
  api = await createTestApi();
  user = await createUser(api);
});
after(() => api.close());

/** Creates two tickets with the same rows: pending, done, failed and invalid, inside and outside of positions 2 to 5. */
beforeEach(async () => {
  const failed = { state: 'failed' } as const;
  const invalid = { state: 'failed', reason: 'Invalid serial number' } as const;
  const rows = [{}, {}, { state: 'done' as const }, failed, invalid, { state: 'done' as const }, invalid];
  const make = async () => {
    const { id } = await createTicketWithRows(api, {
      companyCode: user.companyCode,
      createdBy: user.id,
      rows,
    });
    await api.context.db.query('INSERT INTO duplicates VALUES ($1, 9, $2, 2)', [id, 'S']);
    return id;
  };
  first = await make();
  second = await make();
});

const whole = ['pending', 'pending', 'done', 'failed', 'invalid', 'done', 'invalid'];

/** Returns the state of each row of a ticket; null for a deleted row. */
async function rowsOf(id: number): Promise<(string | null)[]> {
  const { rows } = await api.context.db.query(
    'SELECT position, kind, state, fetched_at FROM serials WHERE ticket_id = $1',
    [id],
  );
  return whole.map((_, index) => {
    const row = rows.find(({ position }) => position === index + 1);
    if (!row) return null;
    assert.equal(row.fetched_at === null, row.state === 'pending');
    return row.kind === null ? 'invalid' : row.state;
  });
}

const cases = [
  ['all rows of a range', rowChanges.ticket, ['pending', null, null, null, null, 'done', 'invalid']],
  [
    'the rows of a range but invalid cells',
    rowChanges.rows,
    ['pending', null, null, null, 'invalid', 'done', 'invalid'],
  ],
  [
    'the pending rows of a range',
    rowChanges.pending,
    ['pending', null, 'done', 'failed', 'invalid', 'done', 'invalid'],
  ],
  [
    'the results of a range',
    rowChanges.results,
    ['pending', 'pending', 'pending', 'pending', 'invalid', 'done', 'invalid'],
  ],
] as const;
for (const [what, change, left] of cases) {
  test(`${what} are deleted of one ticket alone`, async () => {
    await change.run(api.context.db, { ticketId: first, lo: 2, hi: 5 });
    assert.deepEqual(await rowsOf(first), left);
    assert.deepEqual(await rowsOf(second), whole);
  });
}

test('duplicates are deleted of one ticket alone', async () => {
  await deleteDuplicates.run(api.context.db, { ticketId: first });
  const { rows } = await api.context.db.query('SELECT ticket_id FROM duplicates WHERE ticket_id = ANY($1)', [
    [first, second],
  ]);
  assert.deepEqual(rows, [{ ticket_id: second }]);
});

test('deletions that found no turn are finished in turns of companies', async () => {
  const { companyCode, id: createdBy } = await createUser(api);
  const { id: other } = await createTicketWithRows(api, { companyCode, createdBy, rows: [{}] });
  const client = await api.context.db.connect();
  try {
    await client.query('BEGIN');
    for (const ticketId of [first, second, other])
      await markRowDeletion.run(client, { ticketId, forgetsDevices: false });
    const listed = await listRowDeletions.all(client);
    assert.deepEqual(
      listed.map(({ ticket_id }) => ticket_id),
      [first, other, second],
    );
  } finally {
    client.release(true);
  }
});
