import assert from 'node:assert/strict';
import { after, before, it } from 'node:test';
import { createTestDatabase, type TestDatabase } from '#tests/support/database/database.ts';
import { listFailedByTicket, listProcessedByTicket, listRevenueByTicket } from './by-ticket.queries.ts';
import { countSerialsPerDay, findPreviousSignIn, sumRevenue, sumRevenueOfMonth } from './home.queries.ts';

let database: TestDatabase;

before(async () => {
  database = await createTestDatabase();
  await database.pool.query(`
    INSERT INTO clients (company_name, company_code) VALUES ('Acme', 'ACM001'), ('Bintang', 'BIN001'),
      ('Cemara', 'CEM001');
    INSERT INTO tickets (id, ticket_number, company_code, data_count, total, done, failed, activated, unactivated, price,
                         current_dollar_price, discount, coverage_deleted, created_at) VALUES
      (1, 1, 'ACM001', 10, 10, 8, 2, 5, 2, 0.05, 16000, 0, false, '2026-10-31T17:00:00Z'),
      (2, 2, 'BIN001', 5, 5, 5, 0, 5, 0, 0.05, 16000, 50, false, '2026-11-30T16:59:59Z'),
      (3, 3, 'BIN001', 6, 6, 5, 1, 5, 0, 0.05, 16000, 0, true, '2026-11-30T17:00:00Z'),
      (4, 4, 'CEM001', 5, 5, 5, 0, 5, 0, 0.05, 16000, 100, false, '2026-11-15T00:00:00Z');
    INSERT INTO ticket_minutes VALUES (1, '2026-11-20T16:59:00Z', 3), (1, '2026-11-20T17:00:00Z', 4),
      (2, '2026-11-21T03:00:00Z', 5), (2, '2026-10-01T00:00:00Z', 7);`);
});
after(() => database.close());

it('finds the sign-in before this session', async () => {
  await database.pool.query(`
    INSERT INTO audit_log (at, action, object_type, object_id) VALUES
      ('2026-11-20T01:00:00Z', 'user.sign-in', 'user', '7'), ('2026-11-21T01:00:00Z', 'user.sign-in', 'user', '7'),
      ('2026-11-21T02:00:00Z', 'user.sign-in-refused', 'user', '7'), ('2026-11-22T01:00:00.5Z', 'user.sign-in', 'user', '7'),
      ('2026-11-21T03:00:00Z', 'user.sign-in', 'user', '8')`);
  const issuedAt = Date.parse('2026-11-22T01:00:00Z') / 1000;
  const find = (id: number, at = issuedAt) => findPreviousSignIn(database.pool, { id, issuedAt: at });
  assert.deepEqual(await find(7), new Date('2026-11-21T01:00:00Z'));
  // A change of the password has renewed the token.
  assert.deepEqual(await find(7, issuedAt + 600), new Date('2026-11-21T01:00:00Z'));
  assert.equal(await find(8), null);
  assert.equal(await find(8, issuedAt + 600), null);
  assert.equal(await find(9), null);
});

it('counts serials of the last 30 days in the time zone, today included', async () => {
  const days = await countSerialsPerDay.all(database.pool, { today: '2026-11-21', timezone: 'Asia/Jakarta' });
  assert.equal(days.length, 30);
  assert.deepEqual(days.slice(-2), [
    { day: '2026-11-20', serials: 3 },
    { day: '2026-11-21', serials: 9 },
  ]);
});

it('sums revenue by company after discount, largest first', async () => {
  assert.deepEqual(await sumRevenue.all(database.pool), [
    { company_code: 'ACM001', company_name: 'Acme', total_amount: 6400 },
    { company_code: 'BIN001', company_name: 'Bintang', total_amount: 6000 },
  ]);
});

it('sums the revenue of tickets created this month in the time zone, without those that cost nothing', async () => {
  assert.deepEqual(await sumRevenueOfMonth(database.pool, '2026-11-21', 'Asia/Jakarta'), {
    month: '2026-11',
    tickets: 2,
    total_amount: 8400,
  });
  assert.deepEqual(await sumRevenueOfMonth(database.pool, '2026-09-01', 'Asia/Jakarta'), {
    month: '2026-09',
    tickets: 0,
    total_amount: 0,
  });
});

it('lists the tickets behind each figure in the scope, largest first', async () => {
  const { pool: db } = database;
  const valuesOf = ({ data }: Awaited<ReturnType<typeof listFailedByTicket>>) =>
    data.map(({ ticket_number, value }) => [ticket_number, value]);
  assert.deepEqual(await listFailedByTicket(db, 'ACM001'), {
    data: [
      {
        ticket_number: '1',
        company_code: 'ACM001',
        file_name: null,
        kind: 'order',
        total: 10,
        date: '2026-10-31T17:00:00.000Z',
        value: 2,
      },
    ],
    tickets: 1,
  });
  assert.deepEqual(valuesOf(await listFailedByTicket(db, null)), [['1', 2]]);
  assert.deepEqual(await listFailedByTicket(db, 'NONE'), { data: [], tickets: 0 });
  assert.deepEqual(valuesOf(await listProcessedByTicket(db, '2026-11-20', 'Asia/Jakarta')), [['1', 3]]);
  assert.deepEqual(valuesOf(await listProcessedByTicket(db, '2026-11-21', 'Asia/Jakarta')), [
    ['2', 5],
    ['1', 4],
  ]);
  assert.deepEqual(valuesOf(await listRevenueByTicket(db, '2026-11', 'Asia/Jakarta')), [
    ['1', 6400],
    ['2', 2000],
  ]);
});

it('lists at most a hundred tickets and counts all of them', async () => {
  await database.pool.query(`
    INSERT INTO tickets (id, ticket_number, company_code, data_count, total, done, price, current_dollar_price, created_at)
    SELECT n, n, 'ACM001', n, n, n, 0.05, 16000, '2025-01-15' FROM generate_series(100, 220) AS n`);
  const { data, tickets } = await listRevenueByTicket(database.pool, '2025-01', 'Asia/Jakarta');
  assert.equal(data.length, 100);
  assert.equal(tickets, 121);
  assert.equal(data[0]?.ticket_number, '220');
});
