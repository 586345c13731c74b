import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readContracts } from '#tests/support/api/contracts.ts';
import { openCalls } from './api-client.ts';

test('the calls that the browser sends without a session are those that the contracts open to everybody', async () => {
  // The browser opens links to files, and those that lead it elsewhere, by itself.
  const open = (await readContracts()).filter(
    ({ access, response }) => access === 'public' && response !== 'file',
  );
  assert.deepEqual([...openCalls].sort(), open.map(({ route }) => route).sort());
});
