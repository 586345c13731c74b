import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { inTransaction, type Queryable } from '#server/db/db.ts';
import { createTestApi, type TestApi } from '#tests/support/api/api.ts';
import {
  createCompany,
  createTicketWithRows,
  createUser,
  type TestUser,
} from '#tests/support/api/factories.ts';
import { listProgressRows } from '../progress/progress.queries.ts';
import { findNewestTicket } from '../tickets.queries.ts';
import { listMatchingTickets } from './find-tickets.queries.ts';

let api: TestApi;
let admin: TestUser;
let user: TestUser;

before(async () => {
  api = await createTestApi();
  admin = await createUser(api, { superadmin: true });
  user = await createUser(api, { companyCode: await createCompany(api, 'Blue Harbour') });
});
after(() => api.close());

const paste = async (who: TestUser, name: string) => {
  const body = { serials: ['356938035643809', 'nonsense'], name };
  const answer = await api.send('POST /api/data/serials', { token: who.token, body });
  return answer.json<{ ticket: { ticket_number: string } }>().ticket.ticket_number;
};
const order = async (companyCode: string) => {
  const body = { data_count: 7, company_code: companyCode };
  const answer = await api.send('POST /api/tickets', { token: admin.token, body });
  return answer.json<{ ticket: { ticket_number: string } }>().ticket.ticket_number;
};
const find = async (who: TestUser, query = '') => {
  const answer = await api.send(`GET /api/tickets/find${query}`, { token: who.token });
  assert.equal(answer.statusCode, 200, answer.body);
  return answer.json();
};
const numbers = async (who: TestUser, query = '') =>
  (await find(who, query)).data.map((ticket: { ticket_number: string }) => ticket.ticket_number);

test('a found ticket has its kind, its uploader and its counts, the latest import first and orders last', async () => {
  const waiting = await order(user.companyCode);
  const first = await paste(user, 'Quarter one');
  const second = await paste(user, 'Quarter two');
  assert.deepEqual(await numbers(user), [second, first, waiting]);
  const { data, pagination } = await find(user, '?limit=1');
  const read = await api.send(`GET /api/tickets/by-number?ticket_number=${second}`, { token: user.token });
  const { ticket } = read.json();
  assert.deepEqual(data, [
    {
      ...ticket,
      uploaded_by: { _id: String(user.id), name: data[0].uploaded_by.name, email: user.email },
    },
  ]);
  const { ticket_number, file_name, kind, total, failed, percent, total_amount } = ticket;
  assert.deepEqual(
    [ticket_number, file_name, kind, total, failed, percent, total_amount],
    [second, 'Quarter two', 'paste', 2, 1, 50, 0],
  );
  assert.deepEqual([pagination.totalItems, pagination.totalPages, pagination.hasNextPage], [3, 3, true]);
  assert.equal((await find(user, '?page=2&limit=2')).pagination.totalItems, 3);
  assert.equal((await find(user, '?page=9&limit=2')).pagination.totalItems, 3);
  const [found] = (await find(user, `?kind=order`)).data;
  assert.deepEqual([found.ticket_number, found.kind, found.uploaded_by], [waiting, 'order', null]);
});

test('an order that a user filled was uploaded by that user, not by the superadmin who made it', async () => {
  const other = await createUser(api);
  const ticket = await order(other.companyCode);
  const body = { serials: ['356938035643809'], ticket_number: ticket };
  await api.send('POST /api/data/serials', { token: other.token, body });
  const [found] = (await find(other)).data;
  assert.deepEqual(
    [found.ticket_number, found.kind, found.uploaded_by.email],
    [ticket, 'paste', other.email],
  );
});

test('tickets are found by number, file, company and uploader, each in any case', async () => {
  const other = await createUser(api, { companyCode: await createCompany(api, 'Harbour Lights') });
  const ticket = await paste(other, 'Été Fleet 2026.xlsx');
  const search = (q: string, who = admin) => numbers(who, `?q=${encodeURIComponent(q)}`);
  assert.ok((await search(ticket)).includes(ticket));
  assert.deepEqual(await numbers(admin, `?ticket_number=${ticket}`), [ticket]);
  assert.deepEqual(await numbers(user, `?ticket_number=${ticket}`), []);
  assert.deepEqual(await search('fleet 2026'), [ticket]);
  assert.deepEqual(await search('harbour LIGHTS'), [ticket]);
  assert.deepEqual(await search(other.companyCode.toLowerCase()), [ticket]);
  assert.deepEqual(await search(other.email.toUpperCase()), [ticket]);
  assert.deepEqual(await search('no such words'), []);
  assert.deepEqual(await search('100%'), []);
  assert.deepEqual(await search('fleet 2026', user), [], 'of another company');
  assert.deepEqual(await numbers(user, `?company_code=${other.companyCode}`), []);
  assert.deepEqual(await numbers(admin, `?company_code=${other.companyCode}&status=Completed`), []);
  assert.deepEqual(await numbers(admin, `?company_code=${other.companyCode}&serial_deleted=true`), []);
  assert.deepEqual(await numbers(admin, `?company_code=${other.companyCode}&coverage_deleted=false`), [
    ticket,
  ]);
});

test('a company is not told that a superadmin had its devices checked again', async () => {
  const other = await createUser(api);
  const { id, number } = await createTicketWithRows(api, {
    companyCode: other.companyCode,
    createdBy: admin.id,
    rows: [{}],
  });
  await api.context.db.query(`UPDATE tickets SET import_kind = 'recheck', imported_by = $2 WHERE id = $1`, [
    id,
    admin.id,
  ]);
  const of = async (who: TestUser) => (await find(who, `?company_code=${other.companyCode}`)).data[0];
  assert.deepEqual([(await of(other)).kind, (await of(other)).uploaded_by], ['recheck', null]);
  assert.equal((await of(admin)).uploaded_by.email, admin.email);
  assert.deepEqual(await numbers(other, `?q=${admin.email}`), []);
  assert.deepEqual(await numbers(admin, `?q=${admin.email}&company_code=${other.companyCode}`), [number]);
});

test('the newest tickets are read without reading the others', async () => {
  const { companyCode } = await createUser(api);
  await api.context.db.query(
    `INSERT INTO tickets (ticket_number, company_code, data_count, total, done, status, price, current_dollar_price,
       imported_at, finished_at)
     SELECT 2000000 + n, $1, 10, 10, 10, 'Completed', 0.05, 16000, now() - n * interval '1 minute', now()
     FROM generate_series(1, 20000) n`,
    [companyCode],
  );
  await api.context.db.query('ANALYZE tickets');
  const noFilter = {
    company_code: null,
    status: null,
    kind: null,
    serial_deleted: null,
    coverage_deleted: null,
    q: null,
    ticket_number: null,
    before: null,
    device_id: null,
  };
  const reads: Record<string, (tx: Queryable, scope: string | null) => Promise<unknown>> = {
    find: (tx, scope) => listMatchingTickets.all(tx, { ...noFilter, scope, limit: 50, offset: 0 }),
    last: (tx, scope) => findNewestTicket.first(tx, { scope }),
    'all-progress': (tx, scope) => listProgressRows.all(tx, { scope, companyCode: undefined, limit: 200 }),
  };
  for (const [name, read] of Object.entries(reads)) {
    for (const scope of [null, companyCode]) {
      const tuples = await inTransaction(api.context.db, async (tx) => {
        await read(tx, scope);
        const { rows } = await tx.query<{ read: number }>(
          "SELECT (seq_tup_read + idx_tup_fetch)::int AS read FROM pg_stat_xact_user_tables WHERE relname = 'tickets'",
        );
        return rows[0]?.read ?? 0;
      });
      assert.ok(tuples > 0 && tuples < 1000, `${name}: ${tuples} tickets`);
    }
  }
});

test('tickets made before another are found by its number, however late their imports were', async () => {
  const other = await createUser(api);
  const waiting = await order(other.companyCode);
  const first = await paste(other, 'One');
  const second = await paste(other, 'Two');
  await api.send('POST /api/data/serials', {
    token: other.token,
    body: { serials: ['356938035643809'], ticket_number: waiting },
  });
  assert.deepEqual(await numbers(other, `?before=${second}`), [waiting, first]);
  assert.deepEqual(await numbers(other, `?before=${first}&kind=paste`), [waiting]);
  assert.deepEqual(await numbers(other, `?before=${waiting}`), []);
  const scope = `before=${second}&company_code=${other.companyCode}`;
  assert.deepEqual(await numbers(admin, `?${scope}&limit=1`), [waiting]);
  assert.deepEqual(await numbers(user, `?${scope}`), []);
});

test('the tickets of a device are found by the device, within its company alone', async () => {
  const { companyCode, token } = await createUser(api);
  const own = { ...user, companyCode, token };
  const tickets = [await paste(own, 'One'), await paste(own, 'Two')];
  const { rows } = await api.context.db.query<{ id: string }>(
    `INSERT INTO devices (company_code, serial, first_seen, last_checked, tickets)
     VALUES ($1, '356938035643809', now(), now(), $2) RETURNING id::text`,
    [companyCode, [...tickets, '999999999']],
  );
  const search = `?device_id=${rows[0]?.id}`;
  assert.deepEqual(await numbers(own, search), tickets.toReversed());
  assert.deepEqual(await numbers(admin, search), tickets.toReversed());
  assert.deepEqual(await numbers(user, search), []);
  assert.deepEqual(await numbers(own, '?device_id=0'), []);
});
