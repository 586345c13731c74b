import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type pg from 'pg';
import { createLog } from '#server/log.ts';
import { steadyNow } from '#server/steady-clock.ts';
import { createTestDatabase, type TestDatabase } from '#tests/support/database.ts';
import { importTicket, readTicket } from '#tests/support/tickets.ts';
import { waitFor } from '#tests/support/wait.ts';
import { insertFollowUpJob, waitForLimits, waitForSources } from './follow-up-jobs.queries.ts';
import { blockSize, insertAllBlocks, lookupQueue } from './lookup-jobs.queries.ts';
import { openQueue } from './open-queue.ts';
import { findOrphanedTickets } from './orphaned-tickets.queries.ts';
import { markWaitingTickets, mayTicketsWait } from './waiting-tickets.queries.ts';

let database: TestDatabase;
before(async () => {
  database = await createTestDatabase();
});
after(() => database.close());

const shop = { name: 'shop', label: 'The shop', cause: 'down' } as const;
const other = { name: 'other', label: 'Another', cause: null };

/** A ticket in the middle of its lookups, with no job but those that are made of `followUps`. */
async function startTicket(serial: string, followUps: (string | null)[]): Promise<number> {
  const { pool } = database;
  const ticketId = await importTicket(pool, [serial]);
  await pool.query('DELETE FROM pgboss.job WHERE group_id = $1', [String(ticketId)]);
  await pool.query("UPDATE tickets SET status = 'Processing' WHERE id = $1", [ticketId]);
  for (const waitsFor of followUps) {
    const at = steadyNow() + (waitsFor === null ? 0 : 3_600_000);
    await insertFollowUpJob(pool, { ticketId, lo: 0, hi: blockSize - 1 }, { at, waitsFor });
  }
  return ticketId;
}

const markOf = async (id: number) => {
  const ticket = await readTicket(database.pool, id);
  return [ticket?.waiting_for, ticket?.waiting_source];
};

test('a ticket waits while none of its jobs is due soon, and says for which source', async () => {
  const { pool } = database;
  const waits = await startTicket('WAITS', [waitForSources(['shop'])]);
  const moves = await startTicket('MOVES', [waitForSources(['shop']), null]);
  const both = await startTicket('BOTH', [waitForSources(['shop', 'away'])]);
  await markWaitingTickets(pool, [shop, other]);
  assert.deepEqual(await markOf(waits), ['source', 'The shop']);
  assert.deepEqual(await markOf(moves), [null, null]);
  assert.deepEqual(await markOf(both), ['source', 'The shop']);
  await pool.query('UPDATE pgboss.job SET start_after = now() WHERE group_id = $1', [String(waits)]);
  await markWaitingTickets(pool, [shop, other]);
  assert.deepEqual(await markOf(waits), [null, null]);
  // While no source may be asked, nothing moves.
  await markWaitingTickets(pool, [shop]);
  assert.deepEqual(await markOf(moves), ['source', 'The shop']);
});

test('a ticket that waits says why, and since when as long as the reason stays', async () => {
  const { pool } = database;
  const id = await startTicket('WHY', [waitForSources(['shop'])]);
  const read = async () => {
    const ticket = await readTicket(pool, id);
    return { cause: ticket?.waiting_cause, since: ticket?.waiting_since?.getTime() ?? 0 };
  };
  await markWaitingTickets(pool, [shop, other]);
  const first = await read();
  assert.equal(first.cause, 'down');
  assert.ok(first.since > Date.now() - 60_000 && first.since < Date.now() + 60_000);
  await markWaitingTickets(pool, [shop, other]);
  assert.deepEqual(await read(), first);
  await markWaitingTickets(pool, [{ ...shop, cause: 'paused' }, other]);
  const second = await read();
  assert.equal(second.cause, 'paused');
  assert.ok(second.since > first.since);
  await markWaitingTickets(pool, [{ ...shop, cause: 'proxies' }, other]);
  assert.deepEqual([await markOf(id), (await read()).cause], [['proxies', null], 'proxies']);
  // Its jobs may be due later although its source may be asked by now.
  await markWaitingTickets(pool, [{ ...shop, cause: null }, other]);
  assert.deepEqual([await markOf(id), (await read()).cause], [['source', 'The shop'], null]);
});

test('a ticket whose rows take turns at a limit moves, and waits while the source of the limit may not be asked', async () => {
  const { pool } = database;
  const id = await startTicket('TURNS', [waitForLimits(['shop'])]);
  await markWaitingTickets(pool, [{ ...shop, cause: null }, other]);
  assert.deepEqual(await markOf(id), [null, null]);
  await markWaitingTickets(pool, [shop, other]);
  assert.deepEqual(await markOf(id), ['source', 'The shop']);
});

/** Counts on from what the connection read lately, in other transactions too: PostgreSQL hands that on once a second. */
async function readCounter(client: pg.PoolClient): Promise<number> {
  const { rows } = await client.query<{ read: number }>(
    `SELECT sum(seq_tup_read + coalesce(idx_tup_fetch, 0))::float8 AS read FROM pg_stat_xact_user_tables
     WHERE schemaname = 'pgboss' AND relname LIKE 'job%'`,
  );
  return rows[0]?.read ?? Number.NaN;
}

/** How many rows of the job queue some work reads. */
async function countRead(pool: pg.Pool, work: (tx: pg.PoolClient) => Promise<unknown>): Promise<number> {
  const client = await pool.connect();
  try {
    await client.query('BEGIN');
    await client.query('SET LOCAL enable_seqscan = on');
    const before = await readCounter(client);
    await work(client);
    return (await readCounter(client)) - before;
  } finally {
    await client.query('ROLLBACK');
    client.release();
  }
}

test('what is asked every second reads a few jobs, however many are pending', async () => {
  const { pool } = database;
  const id = await startTicket('LONG', []);
  await insertAllBlocks(pool, id, 20_000 * blockSize);
  await pool.query('ANALYZE pgboss.job_common');
  for (const work of [
    (tx: pg.PoolClient) => mayTicketsWait(tx),
    (tx: pg.PoolClient) => markWaitingTickets(tx, [shop, other]),
    (tx: pg.PoolClient) => findOrphanedTickets(tx),
  ]) {
    const read = await countRead(pool, work);
    assert.ok(read < 100, `${read} jobs read by ${work}`);
  }
});

test('the queue gives lost jobs back without adding all of its jobs up', async () => {
  const { pool } = database;
  await pool.query("DELETE FROM pgboss.job WHERE name = 'lookups'");
  const id = await importTicket(pool, ['LOST']);
  const queue = await openQueue(pool, createLog('test', 'silent'));
  try {
    await queue.fetch(lookupQueue);
    await pool.query("UPDATE pgboss.job SET heartbeat_on = now() - interval '1 minute' WHERE group_id = $1", [
      String(id),
    ]);
    await queue.supervise();
    await waitFor('the lost job', async () => (await queue.fetch(lookupQueue)).length === 1);
    const { rows } = await pool.query('SELECT monitor_on FROM pgboss.queue WHERE name = $1', [lookupQueue]);
    assert.deepEqual(rows, [{ monitor_on: null }]);
  } finally {
    await queue.stop({ graceful: false, close: false });
  }
});

test('tickets may wait while one is marked, a job that waits for a source is due, or a source is not to be asked', async () => {
  const { pool } = database;
  const clear = async () => {
    await pool.query("DELETE FROM pgboss.job WHERE name = 'lookups'");
    await pool.query('UPDATE tickets SET waiting_for = NULL');
    await pool.query('DELETE FROM sources');
  };
  await clear();
  const addSource = (paused: boolean, state: string) =>
    pool.query("INSERT INTO sources (name, key, paused, state) VALUES ('shop', 'shop', $1, $2)", [
      paused,
      state,
    ]);
  const causes: [string, () => Promise<unknown>, boolean][] = [
    ['a job that waits for nothing', () => startTicket('MAY1', [null]), false],
    ['a job that waits for a source', () => startTicket('MAY2', [waitForSources(['shop'])]), true],
    [
      'such a job that a worker has',
      async () => {
        await startTicket('MAY3', [waitForSources(['shop'])]);
        await pool.query("UPDATE pgboss.job SET state = 'active' WHERE name = 'lookups'");
      },
      false,
    ],
    ['a marked ticket', () => pool.query("UPDATE tickets SET waiting_for = 'source'"), true],
    ['a source that may be asked', () => addSource(false, 'up'), false],
    ['a paused source', () => addSource(true, 'up'), true],
    ['a source that is down', () => addSource(false, 'down'), true],
  ];
  for (const [cause, make, may] of causes) {
    await make();
    assert.equal(await mayTicketsWait(pool), may, cause);
    await clear();
  }
});
