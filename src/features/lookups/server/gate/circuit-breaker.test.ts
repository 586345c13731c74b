import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { listSourceStates, syncSources } from '#features/sources/server/states/source-states.queries.ts';
import { createWakeup } from '#server/concurrency/wakeup.ts';
import { createLog } from '#server/runtime/log.ts';
import { createTestDatabase, type TestDatabase } from '#tests/support/database/database.ts';
import { makeSourceQueue } from '#tests/support/lookups/source-queue.ts';
import { createCircuitBreaker } from './circuit-breaker.ts';

let database: TestDatabase;
before(async () => {
  database = await createTestDatabase();
});
after(() => database.close());

test('a round that began before a circuit was stored does not open the gate again', async () => {
  const shop = makeSourceQueue('shop');
  await syncSources(database.pool, [shop.entry]);
  const readStates = async () =>
    new Map((await listSourceStates.all(database.pool)).map((state) => [state.name, state]));
  const stored = Promise.withResolvers<void>();
  const rounds = createWakeup();
  rounds.listen(stored.resolve);
  const circuitBreaker = createCircuitBreaker(database.pool, createLog('test', 'silent'), [shop], rounds);
  const before = { states: await readStates(), began: performance.now() };
  shop.gate.follow('down');
  circuitBreaker.open('shop', { cause: 'down', error: 'ECONNREFUSED' });
  circuitBreaker.follow(before.states, before.began);
  await stored.promise;
  circuitBreaker.follow(before.states, before.began);
  assert.equal(shop.gate.shutReason, 'down');
  await database.pool.query("UPDATE sources SET state = 'up'");
  circuitBreaker.follow(await readStates(), performance.now());
  assert.equal(shop.gate.shutReason, null);
});
