import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type pg from 'pg';
import { inTransaction } from '#server/db/db.ts';
import { createTestDatabase, type TestDatabase } from '#tests/support/database/database.ts';
import { fetchReady, holder } from '#tests/support/lookups/jobs.ts';
import { importTicket } from '#tests/support/lookups/tickets.ts';
import { loadBatch } from '../fetch/load-batch.ts';
import { deleteOldReservations, deleteReservations, reserveSerials } from './reservations.queries.ts';

let database: TestDatabase;
before(async () => {
  database = await createTestDatabase();
});
after(async () => {
  await database.close();
});

test('one job at a time reserves a serial, until the job ends or is lost, or the row is finished', async () => {
  const { pool } = database;
  for (const serials of [
    ['A', 'B', 'C'],
    ['B', 'C', 'D'],
  ])
    await importTicket(pool, serials);
  const [first, second] = await fetchReady(pool, 2);
  assert.ok(first && second);
  const reserve = async (job: typeof first, keys: string[] = []) =>
    (await reserveSerials.all(pool, { ...job, job: job.id, keys, hours: 1 }))
      .map(({ position }) => position)
      .sort();
  const countAll = async () => (await pool.query('SELECT FROM reservations')).rowCount;
  assert.deepEqual(await reserve(first), [1, 2, 3]);
  assert.deepEqual(await reserve(second), first.ticketId < second.ticketId ? [3] : [1]);
  // The same job again, as after a lost response.
  assert.deepEqual(await reserve(first), [1, 2, 3]);

  const shared = (await pool.query('SELECT serial FROM serials WHERE serial IN ($1, $2)', ['B', 'C'])).rows;
  assert.equal(shared.length, 4);
  await pool.query("UPDATE serials SET state = 'failed' WHERE ticket_id = $1 AND serial = 'B'", [
    first.ticketId,
  ]);
  assert.equal((await reserve(second)).length, 2);
  await pool.query('UPDATE lookup_jobs SET holder = NULL WHERE id = $1', [first.id]);
  assert.equal((await reserve(second)).length, 3);
  await pool.query(
    "INSERT INTO coverage_cache (company_code, source_key, serial, fetched_at, egress) VALUES ('ACM001', 'shop', 'C', now(), 'direct')",
  );
  // A late write of the worker that held the job before.
  await deleteReservations.run(pool, { jobs: [second.id] });
  assert.equal(await countAll(), 4);
  const setHeld = (worker: string | null) =>
    pool.query('UPDATE lookup_jobs SET holder = $2 WHERE id = $1', [second.id, worker]);
  await setHeld(null);
  await deleteReservations.run(pool, { jobs: [second.id] });
  await setHeld(holder);
  assert.equal((await reserve(second, ['shop'])).length, 2);
  assert.equal(await countAll(), 3);
  await deleteOldReservations.run(pool, { limit: 10 });
  assert.equal(await countAll(), 2);
});

test('deleting reservations waits for no other job, so that the two cannot deadlock', async () => {
  const { pool } = database;
  const job = '00000000-0000-4000-8000-000000000001';
  await pool.query(
    `INSERT INTO reservations (serial_hash, job, ticket_id, position)
     SELECT hash, $1, 1, hash FROM unnest(ARRAY[2, 1]) AS hash`,
    [job],
  );
  const lock = (client: pg.PoolClient, hash: number) =>
    client.query('SELECT FROM reservations WHERE serial_hash = $1 FOR UPDATE', [hash]);
  await inTransaction(pool, async (other) => {
    await lock(other, 1);
    await deleteReservations.run(pool, { jobs: [job] });
    assert.equal((await lock(other, 2)).rowCount, 0);
  });
  await deleteOldReservations.run(pool, { limit: 10 });
});

test('reservations and cached answers of one company do not affect another company', async () => {
  const { pool } = database;
  await pool.query('TRUNCATE reservations, coverage_cache; DELETE FROM lookup_jobs');
  for (const company of ['ONE001', 'TWO001']) await importTicket(pool, ['A', 'B'], () => 'serial', company);
  await pool.query(
    "INSERT INTO coverage_cache (company_code, source_key, serial, fetched_at, egress) VALUES ('ONE001', 'shop', 'A', now(), 'direct')",
  );
  const jobs = await fetchReady(pool, 2);
  const reserved = [];
  for (const job of jobs)
    reserved.push((await reserveSerials.all(pool, { ...job, job: job.id, keys: ['shop'], hours: 1 })).length);
  assert.deepEqual(reserved.sort(), [1, 2]);
});

test('a ticket that checks devices again reuses only answers since its import', async () => {
  const { pool } = database;
  await pool.query('TRUNCATE reservations, coverage_cache; DELETE FROM lookup_jobs');
  const id = await importTicket(pool, ['EARLIER', 'LATER']);
  await pool.query(
    `INSERT INTO coverage_cache (company_code, source_key, serial, fetched_at, egress)
     VALUES ('ACM001', 'shop', 'EARLIER', now() - interval '2 minutes', 'direct'),
       ('ACM001', 'shop', 'LATER', now() - interval '10 seconds', 'direct')`,
  );
  const [job = assert.fail()] = await fetchReady(pool);
  const load = async () => {
    const cache = { sources: [{ name: 'shop', key: 'shop' }], hours: 1 };
    const { rows } = await loadBatch(pool, job, cache);
    await deleteReservations.run(pool, { jobs: [job.id] });
    return [...rows.active].map(({ serial, cached, reserved }) => [serial, cached !== null, reserved]);
  };
  assert.deepEqual(await load(), [
    ['EARLIER', true, false],
    ['LATER', true, false],
  ]);
  await pool.query("UPDATE tickets SET answers_from = now() - interval '1 minute' WHERE id = $1", [id]);
  assert.deepEqual(await load(), [
    ['EARLIER', false, true],
    ['LATER', true, false],
  ]);
});

test('nothing is reserved for a deleted ticket whose rows are not deleted yet', async () => {
  const { pool } = database;
  const ticketId = await importTicket(pool, ['GONE1', 'GONE2']);
  await pool.query('DELETE FROM tickets WHERE id = $1', [ticketId]);
  const job = '00000000-0000-4000-8000-000000000000';
  const reserved = await reserveSerials.all(pool, { job, ticketId, lo: 1, hi: 2, keys: [], hours: 1 });
  assert.equal(reserved.length, 0);
});

test('reserving the serials of a job reads few rows, also before the tables are analysed', async () => {
  const { pool } = database;
  await pool.query('TRUNCATE coverage_cache');
  await pool.query(
    `INSERT INTO coverage_cache (company_code, source_key, serial, fetched_at, egress)
     SELECT 'ACM001', 'shop', 'KEPT' || n, now(), 'direct' FROM generate_series(1, 20000) AS n`,
  );
  const importNew = (name: string) =>
    importTicket(
      pool,
      Array.from({ length: 5000 }, (_, n) => `${name}${n}`),
    );
  await importNew('KNOWN');
  await pool.query('ANALYZE serials');
  const ticketId = await importNew('NEW');
  const client = await pool.connect();
  try {
    await client.query('BEGIN');
    const countRead = async (table: string) => {
      const { rows } = await client.query<{ read: number }>(
        `SELECT (seq_tup_read + coalesce(idx_tup_fetch, 0))::float8 AS read FROM pg_stat_xact_user_tables
         WHERE relname = $1`,
        [table],
      );
      return rows[0]?.read ?? 0;
    };
    const countBoth = async () => [await countRead('coverage_cache'), await countRead('serials')] as const;
    const [cacheBefore, rowsBefore] = await countBoth();
    const range = { ticketId, lo: 1, hi: 200 };
    const job = '00000000-0000-4000-8000-000000000000';
    assert.equal((await reserveSerials.all(client, { job, ...range, keys: ['shop'], hours: 1 })).length, 200);
    const [cache, rows] = await countBoth();
    const read = { cache: cache - cacheBefore, rows: rows - rowsBefore };
    assert.ok(read.cache < 500 && read.rows < 500, JSON.stringify(read));
  } finally {
    await client.query('ROLLBACK');
    client.release();
  }
});
