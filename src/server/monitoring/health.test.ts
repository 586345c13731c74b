import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { createTestApi, type TestApi } from '#tests/support/api/api.ts';

let api: TestApi;
before(async () => {
  api = await createTestApi();
});
after(() => api.close());

test('the product is ready while every connection is busy, and a call that waits too long gets 503', async () => {
  const { db } = api.context;
  const busy = await Promise.all(Array.from({ length: db.options.max }, () => db.connect()));
  const answers = await Promise.all(Array.from({ length: 20 }, () => api.send('GET /api/health/ready')));
  assert.deepEqual([...new Set(answers.map(({ statusCode }) => statusCode))], [200]);
  db.options.connectionTimeoutMillis = 100;
  const other = await api.send('POST /api/auth/login', { body: { email: 'a@b.test', password: 'password' } });
  assert.deepEqual([other.statusCode, other.json().code], [503, 'unavailable']);
  for (const client of busy) client.release();
});
