import assert from 'node:assert/strict';
import { test } from 'node:test';
import pg from 'pg';
import { createTestDatabase } from './database.ts';

test('each test database has the schema and its own rows', async () => {
  const [one, other] = await Promise.all([createTestDatabase(), createTestDatabase()]);
  try {
    await one.pool.query("INSERT INTO clients (company_name, company_code) VALUES ('Acme', 'ACM001')");
    const count = 'SELECT count(*) AS count FROM clients';
    assert.deepEqual((await one.pool.query(count)).rows, [{ count: 1 }]);
    assert.deepEqual((await other.pool.query(count)).rows, [{ count: 0 }]);
  } finally {
    await one.close();
    await other.close();
  }
  const client = new pg.Client({ connectionString: one.url });
  await assert.rejects(client.connect(), { code: '3D000' });
});
