import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, test } from 'node:test';
import { openCircuit } from '#features/sources/server/states/circuit.queries.ts';
import { syncSources } from '#features/sources/server/states/source-states.queries.ts';
import { createTestDatabase, type TestDatabase } from '#tests/support/database/database.ts';
import { importTicket } from '#tests/support/lookups/tickets.ts';
import { shortenWaits } from './clock.queries.ts';
import { renewPresence } from './workers.queries.ts';

let database: TestDatabase;
before(async () => {
  database = await createTestDatabase();
});
after(() => database.close());

test('after the database’s clock was set back, nothing waits longer than its own interval', async () => {
  const { db, pool } = database;
  const [me, gone, alive] = [randomUUID(), randomUUID(), randomUUID()];
  await syncSources(db, [
    { name: 'down', key: '1' },
    { name: 'refused', key: '2' },
  ]);
  await openCircuit(db, 'down', { cause: 'down', error: 'no answer', waitMs: 5000 });
  await openCircuit(db, 'refused', { cause: 'auth', error: 'refused', waitMs: 5000 });
  await renewPresence(pool, me);
  await pool.query('INSERT INTO workers (id, heartbeat, gone_at) VALUES ($1, now(), now())', [gone]);
  await renewPresence(pool, alive);
  await pool.query(`INSERT INTO proxy_states (proxy, worker, state, rest_until, rest_step)
    VALUES ('http://10.0.0.1:80', NULL, 'resting', now() + interval '30 minutes', 9)`);
  // The same as setting the clock back by two hours.
  for (const [table, column] of [
    ['sources', 'probe_at'],
    ['proxy_states', 'rest_until'],
    ['workers', 'heartbeat'],
    ['workers', 'gone_at'],
  ]) {
    await pool.query(`UPDATE ${table} SET ${column} = ${column} + interval '2 hours'`);
  }
  await shortenWaits.run(pool);
  const secondsUntil = async (text: string) =>
    (await pool.query(text)).rows.map(({ at }) => Math.ceil((at.getTime() - Date.now()) / 1000));
  const [down = 0, refused = 0] = await secondsUntil('SELECT probe_at AS at FROM sources ORDER BY name');
  assert.ok(down <= 5 && refused <= 300, `${down} s and ${refused} s until the probes`);
  const [rest = 0] = await secondsUntil('SELECT rest_until AS at FROM proxy_states');
  assert.ok(rest <= 1800, `${rest} s of rest`);
  const [heldFor = 0] = await secondsUntil('SELECT gone_at AS at FROM workers WHERE gone_at IS NOT NULL');
  assert.ok(heldFor <= 5, `${heldFor} s until the holdings of a gone worker are freed`);
  for (const seconds of await secondsUntil('SELECT heartbeat AS at FROM workers')) assert.ok(seconds <= 0);
  const { rows } = await pool.query('SELECT id, gone_at FROM workers WHERE id = ANY ($1)', [[me, alive]]);
  assert.deepEqual(
    rows.map(({ gone_at }) => gone_at),
    [null, null],
    'a live worker stays',
  );
});

test('after the clock was set back, a job waits at most its own interval, or is ready if it was given back later than now', async () => {
  const { pool } = database;
  const ticket = await importTicket(pool, ['ACM2']);
  /** Sets a clock back that has given the job back for 300 seconds, 60 seconds before. */
  const setBack = async (seconds: number) => {
    await pool.query(
      `UPDATE lookup_jobs SET queued_at = now() + ($2 - 60) * interval '1 second',
         due_at = now() + ($2 + 240) * interval '1 second' WHERE ticket_id = $1`,
      [ticket, seconds],
    );
    await shortenWaits.run(pool);
    const { rows } = await pool.query<{ wait: number | null }>(
      'SELECT extract(epoch FROM due_at - now())::float8 AS wait FROM lookup_jobs WHERE ticket_id = $1',
      [ticket],
    );
    return rows[0]?.wait;
  };
  const wait = await setBack(30);
  assert.ok(wait && wait > 0 && wait <= 300, `${wait} s`);
  assert.equal(await setBack(90), null);
});
