import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createTestApi } from '#tests/support/api/api.ts';
import { startLookups } from './worker.service.ts';

test('a worker without work ends while the database refuses its statements', async (t) => {
  const { context, close } = await createTestApi();
  t.after(close);
  const lookups = await startLookups(context, process.env, assert.ifError);
  await context.db.query('ALTER TABLE workers RENAME TO away');
  await lookups.drain();
});
