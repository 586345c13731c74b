import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Outcome, Question } from '#features/sources/server/configuration/source.ts';
import { syncSources } from '#features/sources/server/states/source-states.queries.ts';
import { createLog } from '#server/runtime/log.ts';
import { createTestDatabase, type TestDatabase } from '#tests/support/database/database.ts';
import { makeSourceQueue } from '#tests/support/lookups/source-queue.ts';
import { waitFor } from '#tests/support/wait.ts';
import { askAsWorker } from './ask-as-worker.ts';
import { listAllocations } from './gate/limits/allocations.queries.ts';

let database: TestDatabase;
const log = createLog('test', 'silent');
before(async () => {
  database = await createTestDatabase();
  await syncSources(database.pool, [{ name: 'first', key: 'first' }]);
});
after(() => database.close());

test('calls share a limit like workers, and the limit is never exceeded', async () => {
  const { db } = database;
  const { entry } = makeSourceQueue('first', { limits: { per_second: 2 } });
  /** Begins a call, which lasts until `end`. */
  const begin = (maxWaitMs: number) => {
    const asked = Promise.withResolvers<Question['permits']>();
    const ended = Promise.withResolvers<Outcome>();
    const ask = ({ permits }: Pick<Question, 'permits'>) => {
      asked.resolve(permits);
      return ended.promise;
    };
    const over = askAsWorker({ db, log }, { entry, sources: [entry] }, ask, maxWaitMs);
    return { asked: asked.promise, over, end: () => ended.resolve({ is: 'not_found' }) };
  };
  const published = async () =>
    (await listAllocations.all(db)).map(({ per_second }) => per_second ?? 0).toSorted();
  const one = begin(60_000);
  await one.asked;
  assert.deepEqual(await published(), [2]);
  await assert.rejects(begin(0).over, { code: 'no_permit' });
  await waitFor('all of it to be back', async () => Math.max(...(await published())) === 2, 60_000);
  const other = begin(60_000);
  const permit = await (await other.asked)?.take();
  assert.deepEqual(
    (await published()).filter((part) => part > 0),
    [1, 1],
  );
  assert.equal(permit?.send(), true);
  permit.end();
  for (const { end, over } of [one, other]) {
    end();
    assert.deepEqual(await over, { is: 'not_found' });
  }
});

test('the answer of a call counts if the database fails while the worker ends', async () => {
  const { entry } = makeSourceQueue('first', { limits: { per_second: 2 } });
  const db = Object.create(database.db);
  db.query = async (query: { text: string }, ...rest: unknown[]) => {
    if (query.text.startsWith('UPDATE workers SET gone_at')) throw new Error('the database is away');
    return database.db.query(query as never, ...(rest as []));
  };
  const ask = async (): Promise<Outcome> => ({ is: 'not_found' });
  const outcome = await askAsWorker({ db, log }, { entry, sources: [entry] }, ask, 60_000);
  assert.deepEqual(outcome, { is: 'not_found' });
});
