import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { createLog } from '#server/runtime/log.ts';
import { createTestDatabase, type TestDatabase } from '#tests/support/database/database.ts';
import { doDueWork } from './do-due-work.ts';

let database: TestDatabase;
before(async () => {
  database = await createTestDatabase();
});
after(() => database.close());

test('a stop leaves the remaining due work for the next start', async () => {
  const due = ['first', 'second', 'third'];
  const stopping = new AbortController();
  await doDueWork(
    { db: database.db, log: createLog('test', 'silent') },
    {
      kind: 'digest',
      signal: stopping.signal,
      lockNext: async () => due[0],
      subjectOf: (subject) => subject,
      async work() {
        due.shift();
        if (due.length === 1) stopping.abort();
      },
    },
  );
  assert.deepEqual(due, ['third']);
});
