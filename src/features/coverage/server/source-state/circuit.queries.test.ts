import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import pg from 'pg';
import { notify } from '#server/notify.queries.ts';
import { createTestDatabase, type TestDatabase } from '#tests/support/database.ts';
import { waitFor } from '#tests/support/wait.ts';
import { leaseProbe, lockAvailableSources, markSourceUp, openCircuit } from './circuit.queries.ts';
import { listSourceStates, sourcesChannel, syncSources } from './source-states.queries.ts';

let database: TestDatabase;
let listener: pg.Client;
const notices: (string | undefined)[] = [];
before(async () => {
  database = await createTestDatabase();
  listener = new pg.Client({ connectionString: database.url });
  listener.on('notification', ({ payload }) => notices.push(payload));
  await listener.connect();
  await listener.query(`LISTEN ${sourcesChannel}`);
});
after(async () => {
  await listener.end();
  await database.close();
});

test('a circuit opens once, for its first cause, and every worker is notified of that', async () => {
  const { db } = database;
  await syncSources(db, [{ name: 'shop', key: 'shop-1' }]);
  await openCircuit(db, 'shop', { cause: 'down', error: 'no answer', waitMs: 0 });
  await openCircuit(db, 'shop', { cause: 'auth', error: 'refused', waitMs: 0 });
  const [source] = await listSourceStates(db);
  assert.deepEqual([source?.state, source?.last_error], ['down', 'no answer']);
  assert.deepEqual(await lockAvailableSources(db), new Set());
  // What comes after a notice shows that there was no other before it.
  await notify(db, sourcesChannel, 'later');
  await waitFor('the later notice', async () => notices.includes('later'));
  assert.deepEqual(notices.splice(0), ['shop', 'later']);

  const worker = '00000000-0000-0000-0000-000000000001';
  const another = '00000000-0000-0000-0000-000000000002';
  assert.deepEqual(await leaseProbe(db, 'shop', worker), { probe_step: 0 });
  assert.equal(await leaseProbe(db, 'shop', another), undefined);

  await markSourceUp(db, 'shop', {});
  await waitFor('the notice that it is up', async () => notices.includes('shop'));
  assert.deepEqual(await lockAvailableSources(db), new Set(['shop']));
  assert.equal(await leaseProbe(db, 'shop', worker), undefined);
});
