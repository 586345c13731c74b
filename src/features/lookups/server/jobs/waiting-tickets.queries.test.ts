import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type pg from 'pg';
import { syncSources } from '#features/sources/server/states/source-states.queries.ts';
import { steadyNow } from '#server/runtime/steady-clock.ts';
import { createTestDatabase, type TestDatabase } from '#tests/support/database/database.ts';
import { addBlocks, holder } from '#tests/support/lookups/jobs.ts';
import { importTicket, readTicket } from '#tests/support/lookups/tickets.ts';
import { updateTicket } from '../write/results.queries.ts';
import { type FollowUp, giveBackJobs } from './end-jobs.queries.ts';
import { fetchJobs, fetchJobToProbe } from './fetch-jobs.queries.ts';
import { deleteJobsOfTicket, makeDueJobsReady } from './lookup-jobs.queries.ts';
import { markWaitingTickets } from './waiting-tickets.queries.ts';

let database: TestDatabase;
before(async () => {
  database = await createTestDatabase();
  await addSources();
});
after(() => database.close());

const shop = { name: 'shop', label: 'The shop', cause: 'down' } as const;
const other = { name: 'other', label: 'Another', cause: null };

const addSources = () =>
  syncSources(database.pool, [
    { name: 'shop', key: 'shop' },
    { name: 'other', key: 'other' },
  ]);
const forSources = (...sources: string[]): FollowUp => ({ dueAt: null, delayedBy: null, sources });
const later = (ms: number): FollowUp => ({ dueAt: steadyNow() + ms, delayedBy: 'shop', sources: [] });

/** Creates a running ticket whose only jobs wait as `followUps` say. */
async function startTicket(serial: string, followUps: FollowUp[]): Promise<number> {
  const { pool } = database;
  const ticketId = await importTicket(pool, [serial]);
  await deleteJobsOfTicket.run(pool, { ticketId });
  await pool.query("UPDATE tickets SET status = 'Processing' WHERE id = $1", [ticketId]);
  if (followUps.length > 0) await addBlocks(pool, ticketId, followUps.length);
  const { rows } = await pool.query<{ id: string; holds: number }>(
    `UPDATE lookup_jobs SET holder = gen_random_uuid() WHERE ticket_id = $1 RETURNING id, holds`,
    [ticketId],
  );
  await giveBackJobs(
    pool,
    rows.map((job, n) => ({ ...job, ...(followUps[n] as FollowUp) })),
  );
  return ticketId;
}

const markOf = async (id: number) => {
  const ticket = await readTicket(database.pool, id);
  return [ticket?.waiting_for, ticket?.waiting_source];
};

test('a ticket is marked as waiting, with the source, while none of its jobs may continue soon', async () => {
  const { pool } = database;
  const waits = await startTicket('WAITS', [forSources('shop')]);
  const moves = await startTicket('MOVES', [forSources('shop'), later(0)]);
  const both = await startTicket('BOTH', [forSources('shop', 'other')]);
  const held = await startTicket('HELD', [forSources('shop')]);
  await addBlocks(pool, held, 1);
  await pool.query(
    "UPDATE lookup_jobs SET holder = gen_random_uuid() WHERE ticket_id = $1 AND sources = '{}'",
    [held],
  );
  const delayed = await startTicket('DELAYED', [later(3_600_000)]);
  const mark = (...sources: { name: string; label: string; cause: string | null }[]) =>
    markWaitingTickets.run(pool, { sources });
  const marks = async () => Promise.all([waits, moves, both, held, delayed].map(markOf));
  const [none, shops] = [
    [null, null],
    ['source', 'The shop'],
  ];
  await mark(shop, other);
  assert.deepEqual(await marks(), [shops, none, none, none, shops]);
  await mark({ ...shop, cause: null }, other);
  assert.deepEqual(await marks(), [none, none, none, none, shops]);
  await pool.query('UPDATE lookup_jobs SET due_at = now() WHERE ticket_id = $1', [delayed]);
  await mark(shop, { ...other, cause: 'paused' });
  // No job may continue while no source may be asked.
  const others = ['source', 'Another'];
  assert.deepEqual(await marks(), [shops, shops, others, shops, shops]);
  // Jobs do not wait for a source that is no longer configured.
  await mark(other);
  assert.deepEqual(await marks(), [none, none, none, none, none]);
});

test('the mark of a waiting ticket has the reason, and the time since which it waits for any', async () => {
  const { pool } = database;
  const id = await startTicket('WHY', [forSources('shop')]);
  const read = async () => {
    const ticket = await readTicket(pool, id);
    return { cause: ticket?.waiting_cause, since: ticket?.waiting_since?.getTime() ?? 0 };
  };
  await markWaitingTickets.run(pool, { sources: [shop, other] });
  const first = await read();
  assert.equal(first.cause, 'down');
  assert.ok(first.since > Date.now() - 60_000 && first.since < Date.now() + 60_000);
  await markWaitingTickets.run(pool, { sources: [shop, other] });
  assert.deepEqual(await read(), first);
  await markWaitingTickets.run(pool, { sources: [{ ...shop, cause: 'paused' }, other] });
  const second = await read();
  assert.deepEqual(second, { cause: 'paused', since: first.since });
  await markWaitingTickets.run(pool, { sources: [{ ...shop, cause: 'proxies' }, other] });
  assert.equal((await read()).since, first.since);
  assert.deepEqual([await markOf(id), (await read()).cause], [['proxies', null], 'proxies']);
  // A row may be due later although its source may be asked.
  await pool.query(
    "UPDATE lookup_jobs SET delayed_by = 'shop', due_at = now() + interval '1 hour', sources = '{}' WHERE ticket_id = $1",
    [id],
  );
  await markWaitingTickets.run(pool, { sources: [{ ...shop, cause: null }, other] });
  assert.deepEqual([await markOf(id), (await read()).cause], [['source', 'The shop'], null]);
});

test('a wait goes on after a short look at a job, and ends when a row is finished', async () => {
  const { pool } = database;
  const id = await startTicket('LOOKS', [forSources('shop')]);
  const mark = async () => {
    await markWaitingTickets.run(pool, { sources: [shop, other] });
    const ticket = await readTicket(pool, id);
    return { reason: ticket?.waiting_for, since: ticket?.waiting_since?.getTime() ?? null };
  };
  await mark();
  await pool.query("UPDATE tickets SET waiting_since = now() - interval '30 minutes' WHERE id = $1", [id]);
  const { since } = await mark();
  const look = async () => {
    await pool.query("UPDATE lookup_jobs SET sources = '{}', queued_at = now() WHERE ticket_id = $1", [id]);
    const { reason } = await mark();
    await pool.query("UPDATE lookup_jobs SET sources = '{shop}' WHERE ticket_id = $1", [id]);
    return [reason, await mark()];
  };
  assert.deepEqual(await look(), [null, { reason: 'source', since }]);
  const counts = { failed: 0, activated: 0, unactivated: 0, unavailable: 0 };
  await updateTicket.one(pool, { id, ...counts, done: 0 });
  assert.deepEqual(await mark(), { reason: 'source', since });
  await pool.query('UPDATE tickets SET total = 2 WHERE id = $1', [id]);
  await updateTicket.one(pool, { id, ...counts, done: 1 });
  assert.deepEqual((await readTicket(pool, id))?.waiting_since, null);
  assert.notEqual((await mark()).since, since);
});

test('a ticket goes on waiting while its only job is held for a probe, and no longer when the source is up', async () => {
  const { pool } = database;
  const id = await startTicket('PROBED', [forSources('shop')]);
  await pool.query('DELETE FROM lookup_jobs WHERE ticket_id <> $1', [id]);
  const read = async () => (await readTicket(pool, id))?.waiting_since?.getTime();
  await markWaitingTickets.run(pool, { sources: [shop, other] });
  const since = await read();
  assert.notEqual(since, undefined);
  assert.equal((await fetchJobToProbe.first(pool, { worker: holder, source: 'shop' }))?.ticketId, id);
  await markWaitingTickets.run(pool, { sources: [shop, other] });
  assert.deepEqual([await markOf(id), await read()], [['source', 'The shop'], since]);
  await markWaitingTickets.run(pool, { sources: [{ ...shop, cause: null }, other] });
  assert.deepEqual(await markOf(id), [null, null]);
});

test('a Pending ticket stays so while its source is paused, and is Processing when the source fails', async () => {
  const { pool } = database;
  const id = await startTicket('PENDING', [forSources('shop')]);
  const order = await startTicket('ORDER', []);
  await pool.query("UPDATE tickets SET status = 'Pending' WHERE id = ANY($1)", [[id, order]]);
  await pool.query('UPDATE tickets SET total = 0 WHERE id = $1', [order]);
  const read = async (ticketId: number) => {
    const ticket = await readTicket(pool, ticketId);
    return [ticket?.status, ticket?.waiting_cause];
  };
  await markWaitingTickets.run(pool, { sources: [{ ...shop, cause: 'paused' }] });
  assert.deepEqual(await read(id), ['Pending', 'paused']);
  await markWaitingTickets.run(pool, { sources: [shop] });
  assert.deepEqual(await read(id), ['Processing', 'down']);
  assert.deepEqual(await read(order), ['Pending', null]);
});

/** Includes recent reads of the connection, because PostgreSQL publishes statistics only once a second. */
async function readCounter(client: pg.PoolClient): Promise<number> {
  const { rows } = await client.query<{ read: number }>(
    `SELECT sum(seq_tup_read + coalesce(idx_tup_fetch, 0))::float8 AS read FROM pg_stat_xact_user_tables
     WHERE relname IN ('lookup_jobs', 'tickets')`,
  );
  return rows[0]?.read ?? Number.NaN;
}

/** Returns the number of jobs and tickets that some work reads. */
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

/** Checks that some work reads only a few jobs and tickets. */
async function expectFew(...works: ((tx: pg.PoolClient) => Promise<unknown>)[]): Promise<void> {
  for (const work of works) {
    const read = await countRead(database.pool, work);
    assert.ok(read < 250, `${read} read by ${work}`);
  }
}

test('the statements that run every second read few rows, with any number of jobs and finished tickets', async () => {
  const { pool } = database;
  await pool.query(
    `INSERT INTO tickets (ticket_number, company_code, status, data_count, total, price, current_dollar_price, imported_at)
     SELECT 1000000 + n, 'ACM001', 'Completed', 1, 1, 0.05, 16000, now() FROM generate_series(1, 20000) AS n`,
  );
  await pool.query('ANALYZE tickets');
  const due = await startTicket('LONG', []);
  await pool.query('DELETE FROM lookup_jobs; UPDATE tickets SET waiting_for = NULL');
  await addBlocks(pool, due, 20_000);
  await pool.query('ANALYZE lookup_jobs');
  await startTicket(
    'WAITING',
    Array.from({ length: 20_000 }, () => forSources('shop')),
  );
  await pool.query("UPDATE sources SET paused = true WHERE name = 'shop'");
  const none = { most: 200, rows: new Map(), atMaximum: [], enough: 999, tickets: [], uploadsOnly: false };
  const which = { ...none, worker: holder, count: 25, wanted: ['shop', 'other'] };
  await expectFew(
    (tx) => markWaitingTickets.run(tx, { sources: [shop, other] }),
    (tx) => fetchJobs(tx, which),
    (tx) => makeDueJobsReady.run(tx, { worker: holder, known: [] }),
  );
});

test('a ticket waits for its turn until a row of it is asked about, also while a worker holds its job', async () => {
  const { pool } = database;
  await pool.query('DELETE FROM lookup_jobs; UPDATE tickets SET waiting_for = NULL');
  const id = await startTicket('TURN', []);
  await pool.query("UPDATE tickets SET status = 'Pending' WHERE id = $1", [id]);
  await addBlocks(pool, id, 1);
  const read = async () => {
    await markWaitingTickets.run(pool, { sources: [shop, other] });
    const ticket = await readTicket(pool, id);
    return [ticket?.status, ticket?.waiting_for, ticket?.waiting_cause];
  };
  assert.deepEqual(await read(), ['Pending', null, null]);
  await pool.query("UPDATE lookup_jobs SET queued_at = now() - interval '10 seconds'");
  assert.deepEqual(await read(), ['Pending', 'turn', 'turn']);
  await pool.query('UPDATE lookup_jobs SET holder = gen_random_uuid()');
  assert.deepEqual(await read(), ['Pending', 'turn', 'turn']);
  await pool.query("UPDATE tickets SET status = 'Processing' WHERE id = $1", [id]);
  assert.deepEqual(await read(), ['Processing', null, null]);
});

test('a ticket whose source came back waits for its turn until a worker fetches a job of it', async () => {
  const { pool } = database;
  await pool.query('DELETE FROM lookup_jobs; UPDATE tickets SET waiting_for = NULL');
  const id = await startTicket('BACK', [forSources('shop'), forSources('shop', 'other')]);
  await pool.query("UPDATE lookup_jobs SET queued_at = now() - interval '10 seconds'");
  const read = async (...sources: { name: string; label: string; cause: string | null }[]) => {
    await markWaitingTickets.run(pool, { sources });
    return (await readTicket(pool, id))?.waiting_for;
  };
  assert.equal(await read(shop, { ...other, cause: 'paused' }), 'source');
  assert.equal(await read({ ...shop, cause: null }, { ...other, cause: 'paused' }), 'turn');
  assert.equal(await read(shop, other), 'turn');
  await pool.query("UPDATE lookup_jobs SET sources = '{}', holder = gen_random_uuid()");
  assert.equal(await read({ ...shop, cause: null }, other), null);
});
