import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { findTicketByNumber } from '#features/tickets/server/tickets.queries.ts';
import { createTestApi, type TestApi } from '#tests/support/api/api.ts';
import { createTicketWithRows, createUser, type TestUser } from '#tests/support/api/factories.ts';
import { countStatements } from '#tests/support/database/count-statements.ts';
import { versionOf } from './ticket-version.ts';

let api: TestApi;
let user: TestUser;
before(async () => {
  api = await createTestApi();
  user = await createUser(api);
});
after(() => api.close());

const read = async (number: string, query: string) => {
  const { result, statements } = await countStatements(api.context.db, () =>
    api.send(`GET /api/imei?ticket_number=${number}&${query}`, { token: user.token }),
  );
  return { statements, ...result.json<{ counts: { all: number; failed: number }; pagination: object }>() };
};

test('a ticket’s rows are counted again only when the ticket changed', async () => {
  const { id, number } = await createTicketWithRows(api, {
    companyCode: user.companyCode,
    createdBy: user.id,
    status: 'Processing',
    rows: [{ state: 'done' }, {}, {}],
  });
  const query = 'q=350&counts=1';
  const first = await read(number, query);
  const again = await read(number, `${query}&page=2`);
  // One statement each for the caller, the ticket, the positions and the rows. No count.
  assert.ok(again.statements <= 4, `${again.statements} statements`);
  assert.deepEqual(again.counts, first.counts);
  await api.context.db.query(
    `WITH finished AS (UPDATE serials SET state = 'failed', reason = 'Not found' WHERE ticket_id = $1 AND position = 2)
     UPDATE tickets SET failed = 1 WHERE id = $1`,
    [id],
  );
  assert.deepEqual([first.counts.failed, (await read(number, query)).counts.failed], [0, 1]);
});

test('the version of a large running ticket stays the same for some seconds although results arrive', async () => {
  const ticket = await findTicket({ status: 'Processing', total: 50_001, done: 1 });
  const versions = [1, 2, 3].map((done) => JSON.stringify(versionOf({ ...ticket, done })));
  assert.ok(new Set(versions).size <= 2, String(versions));
  const ended = { ...ticket, status: 'Completed' as const };
  assert.notDeepEqual(versionOf(ended), versionOf({ ...ended, done: 2 }));
  const small = { ...ticket, total: 50_000 };
  assert.notDeepEqual(versionOf(small), versionOf({ ...small, done: 2 }));
  assert.notDeepEqual(versionOf(ticket), versionOf({ ...ticket, serial_deleted: true }));
});

async function findTicket(changed: object) {
  const { number } = await createTicketWithRows(api, {
    companyCode: user.companyCode,
    createdBy: user.id,
    rows: [{}],
  });
  const row = await findTicketByNumber.first(api.context.db, { ticketNumber: Number(number), scope: null });
  return { ...(row ?? assert.fail()), ...changed };
}
