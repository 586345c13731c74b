import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import pg from 'pg';
import { notify } from '#server/db/connection/notify.queries.ts';
import { createTestDatabase, type TestDatabase } from '#tests/support/database/database.ts';
import { waitFor } from '#tests/support/wait.ts';
import { closeCircuit, leaseProbe, openCircuit, postponeProbe } from './circuit.queries.ts';
import { listSourceStates, sourcesChannel, syncSources } from './source-states.queries.ts';

let database: TestDatabase;
let listener: pg.Client;
/** The next probe, which does not change what is known of the source. */
const later = { state: null, error: null, waitMs: 60_000 };

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

test('a circuit opens once, with its first cause, and notifies every worker', async () => {
  const { db } = database;
  await syncSources(db, [{ name: 'shop', key: 'shop-1' }]);
  await openCircuit(db, 'shop', { cause: 'down', error: 'no answer', waitMs: 0 });
  await openCircuit(db, 'shop', { cause: 'auth', error: 'refused', waitMs: 0 });
  const [source] = await listSourceStates.all(db);
  assert.deepEqual([source?.state, source?.last_error], ['down', 'no answer']);
  // Notices arrive in order, so this one shows that no other came before.
  await notify(db, sourcesChannel, 'later');
  await waitFor('the later notice', async () => notices.includes('later'));
  assert.deepEqual(notices.splice(0), ['shop', 'later']);

  const worker = '00000000-0000-0000-0000-000000000001';
  const another = '00000000-0000-0000-0000-000000000002';
  await db.query('INSERT INTO workers (id) VALUES ($1)', [worker]);
  // Also the lease that a failed write left over.
  for (let time = 0; time < 2; time++)
    assert.equal((await leaseProbe.first(db, { name: 'shop', worker }))?.probe_step, 0);
  assert.equal(await leaseProbe.first(db, { name: 'shop', worker: another }), undefined);

  await closeCircuit(db, 'shop', { by: 'probe', worker });
  await waitFor('the notice that it is up', async () => notices.includes('shop'));
  assert.equal((await listSourceStates.all(db))[0]?.state, 'up');
  assert.equal(await leaseProbe.first(db, { name: 'shop', worker }), undefined);
});

test('an earlier probe and available proxies do not close a circuit that was opened after them', async () => {
  const { db } = database;
  const former = '00000000-0000-0000-0000-000000000001';
  const open = () => openCircuit(db, 'shop', { cause: 'down', error: 'no answer', waitMs: 0 });
  const stateOf = async () => (await listSourceStates.all(db))[0]?.state;
  await open();
  await leaseProbe.first(db, { name: 'shop', worker: former });
  // While the probe's answer is written, the source is resumed by hand and fails again.
  await closeCircuit(db, 'shop', { by: 'hand' });
  await open();
  await closeCircuit(db, 'shop', { by: 'probe', worker: former });
  assert.equal(await stateOf(), 'down');
  await closeCircuit(db, 'shop', { by: 'proxies' });
  assert.equal(await stateOf(), 'down');
  await closeCircuit(db, 'shop', { by: 'hand' });
  assert.equal(await stateOf(), 'up');
});

test('a failed probe postpones only the next probe of its own source, and only while its circuit is open', async () => {
  const { db } = database;
  await db.query('DELETE FROM sources');
  await syncSources(
    db,
    ['first', 'second', 'third'].map((name) => ({ name, key: name })),
  );
  const worker = '00000000-0000-0000-0000-000000000001';
  for (const name of ['first', 'second']) {
    await openCircuit(db, name, { cause: 'down', error: 'no answer', waitMs: 0 });
    await leaseProbe.first(db, { name, worker });
  }
  const read = async () => {
    const { rows } = await db.query(
      `SELECT name, state, probe_step, probe_at > now() AS later, probe_worker IS NULL AS free, last_error
       FROM sources ORDER BY name`,
    );
    return rows;
  };
  const leaseAgain = async () => {
    await db.query("UPDATE sources SET probe_at = now() WHERE name = 'first'");
    await leaseProbe.first(db, { name: 'first', worker });
  };
  const [first, second, third] = await read();
  await postponeProbe.run(db, { ...later, name: 'first', worker, step: 1 });
  const once = { ...first, probe_step: 1, later: true, free: true };
  assert.deepEqual(await read(), [once, second, third]);
  await leaseAgain();
  await postponeProbe.run(db, { ...later, name: 'first', worker, state: 'auth', step: 2, error: 'refused' });
  const twice = { ...once, state: 'auth', probe_step: 2, last_error: 'refused' };
  assert.deepEqual(await read(), [twice, second, third]);
  await leaseAgain();
  await postponeProbe.run(db, { ...later, name: 'first', worker, step: 2 });
  await postponeProbe.run(db, { ...later, name: 'third', worker, step: 5 });
  assert.deepEqual(await read(), [twice, second, third]);
});

test('a worker that counts as gone loses the lease of a probe, and postpones nothing', async () => {
  const { db } = database;
  const former = '00000000-0000-0000-0000-000000000001';
  const holder = '00000000-0000-0000-0000-000000000002';
  assert.equal(await leaseProbe.first(db, { name: 'second', worker: holder }), undefined);
  await db.query('UPDATE workers SET gone_at = now() WHERE id = $1', [former]);
  assert.equal((await leaseProbe.first(db, { name: 'second', worker: holder }))?.probe_step, 0);
  await postponeProbe.run(db, { ...later, name: 'second', worker: former, step: 1 });
  assert.equal(await closeCircuit(db, 'second', { by: 'probe', worker: holder }), true);
});
