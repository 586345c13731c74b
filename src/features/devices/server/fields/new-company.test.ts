import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { createTestDatabase, type TestDatabase } from '#tests/support/database/database.ts';
import { countDevices, listDevicePage } from '../devices.queries.ts';

let database: TestDatabase;
before(async () => {
  database = await createTestDatabase();
});
after(() => database.close());

/** Stores devices of a company, each with a value of one own column. */
async function storeDevices(companyCode: string, count: number): Promise<void> {
  for (const text of [
    `INSERT INTO clients (company_code, company_name) VALUES ($1, $1)`,
    `INSERT INTO company_fields (company_code, key, name, place) VALUES ($1, 'employee', 'Employee', 1)`,
  ])
    await database.pool.query(text, [companyCode]);
  for (const text of [
    `INSERT INTO devices (company_code, serial, first_seen, last_checked, tickets)
     SELECT $1, 'S' || n, now(), now(), '{1}' FROM generate_series(1, $2) AS n`,
    `INSERT INTO device_fields (company_code, serial, fields)
     SELECT $1, 'S' || n, jsonb_build_object('employee', 'E' || n) FROM generate_series(1, $2) AS n`,
  ])
    await database.pool.query(text, [companyCode, count]);
}

test('filters and orders by an own column of a new company read the values of each device once', async () => {
  for (let nth = 0; nth < 50; nth++) await storeDevices(`OLD${nth}`, 500);
  await database.pool.query('ANALYZE devices, device_fields');
  // The planner expects one device of a company that its statistics do not know.
  await storeDevices('NEW', 400);
  const query = { scope: 'NEW', today: '2026-11-30', timeZone: 'Asia/Jakarta' };
  const client = await database.pool.connect();
  await client.query('BEGIN');
  for (const field of [{ employee: 'E5' }, { 'employee.contains': 'E' }, { 'employee.empty': 'false' }])
    await countDevices(client, { ...query, field });
  await listDevicePage(client, query, { sort: 'field.employee', order: 'asc' }, 50, 0);
  const { rows } = await client.query(
    `SELECT pg_stat_get_xact_tuples_returned('device_fields_pkey'::regclass)::integer AS read`,
  );
  await client.query('ROLLBACK');
  client.release();
  // Four statements, the last of which reads the devices of its page again.
  assert.ok(rows[0].read > 0 && rows[0].read <= 4 * 400 + 50, `${rows[0].read} values were read`);
});
