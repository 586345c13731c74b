import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pino } from 'pino';
import { createWakeup } from '#server/wakeup.ts';
import { createTestDatabase } from '#tests/support/database.ts';
import { makeResult } from '#tests/support/source-queue.ts';
import { importTicket } from '#tests/support/tickets.ts';
import { waitFor } from '#tests/support/wait.ts';
import { loadBatch } from '../fetch/load-batch.ts';
import { type LookupJob, lookupQueue } from '../jobs/lookup-jobs.queries.ts';
import { openQueue } from '../jobs/open-queue.ts';
import { initialLookupState } from '../rows/lookup-state.ts';
import { createResultWriter } from './result-writer.ts';

test('what the database could not take is written again until it can, with what has come meanwhile', async () => {
  const database = await createTestDatabase();
  const { pool } = database;
  const lines: string[] = [];
  const log = pino({ level: 'error' }, { write: (line: string) => lines.push(line) });
  const queue = await openQueue(pool, log);
  try {
    const ticketId = await importTicket(pool, ['A', 'B']);
    const [job] = await queue.fetch<LookupJob>(lookupQueue);
    assert.ok(job);
    const { batch, rows } = await loadBatch(pool, job, { sources: [], hours: 0 });
    const [first, second] = rows.map(makeResult);
    assert.ok(first && second);
    let wakes = 0;
    const wakeup = {
      wake() {
        wakes += 1;
      },
    };
    const writer = createResultWriter(log, { pool, queue, reusable: [] }, wakeup);
    await pool.query('ALTER TABLE serials RENAME TO serials_away');
    writer.addResult(batch, first);
    await waitFor('a write to fail', async () =>
      lines.some((line) => line.includes('could not be written yet')),
    );
    writer.addResult(batch, second);
    writer.endBatch(batch, null);
    assert.equal(writer.backlog, 2);
    await pool.query('ALTER TABLE serials_away RENAME TO serials');
    await writer.flush();
    assert.equal(writer.backlog, 0);
    assert.deepEqual([wakes, writer.takeGone().size], [2, 0]);
    const read = async (sql: string) => (await pool.query(sql)).rows;
    assert.deepEqual(await read('SELECT serial, state FROM serials ORDER BY position'), [
      { serial: 'A', state: 'done' },
      { serial: 'B', state: 'done' },
    ]);
    assert.deepEqual(await read(`SELECT status, done FROM tickets WHERE id = ${ticketId}`), [
      { status: 'Completed', done: 2 },
    ]);
    assert.deepEqual(await read("SELECT state FROM pgboss.job WHERE name = 'lookups'"), [
      { state: 'completed' },
    ]);
  } finally {
    await queue.stop({ graceful: false, close: false });
    await database.close();
  }
});

test('what the database can never store fails its own row, with a reason, and all else is written', {
  timeout: 60_000,
}, async () => {
  const database = await createTestDatabase();
  const { pool } = database;
  const lines: string[] = [];
  const log = pino({ level: 'error' }, { write: (line: string) => lines.push(line) });
  const queue = await openQueue(pool, log);
  try {
    const tickets = [await importTicket(pool, ['A', 'B', 'C', 'D']), await importTicket(pool, ['E'])];
    const jobs = await queue.fetch<LookupJob>(lookupQueue, { batchSize: 2 });
    const loaded = await Promise.all(jobs.map((job) => loadBatch(pool, job, { sources: [], hours: 0 })));
    const [first, other] = tickets.map((id) => loaded.find(({ batch }) => batch.ticketId === id));
    assert.ok(first && other);
    const writer = createResultWriter(log, { pool, queue, reusable: [] }, createWakeup());
    const [good, bad, polled, last] = first.rows;
    assert.ok(good && bad && polled && last && other.rows[0]);
    const coverage = { activation_status: null, purchase_date: null, warranty_title: null };
    const days = { coverage_start_date: null, coverage_end_date: null };
    const unstorable = 'a\0b';
    writer.addResult(first.batch, makeResult(good));
    writer.addResult(first.batch, {
      ...makeResult(bad),
      coverage: { ...coverage, ...days, type: unstorable },
    });
    polled.lookupState = { ...initialLookupState, source: 'first', tries: 2, poll: unstorable };
    writer.addLookupState(polled);
    writer.addResult(first.batch, makeResult(last));
    writer.endBatch(first.batch, null);
    writer.addResult(other.batch, makeResult(other.rows[0]));
    writer.endBatch(other.batch, null);
    await writer.flush();
    const { rows } = await pool.query(
      'SELECT serial, state, reason, details IS NOT NULL AS explained FROM serials ORDER BY serial',
    );
    const done = { state: 'done', reason: null, explained: false };
    const failed = { state: 'failed', reason: 'Source unavailable', explained: true };
    assert.deepEqual(rows, [
      { serial: 'A', ...done },
      { serial: 'B', ...failed },
      { serial: 'C', ...failed },
      { serial: 'D', ...done },
      { serial: 'E', ...done },
    ]);
    const ended = await pool.query('SELECT status, done, failed FROM tickets ORDER BY id');
    assert.deepEqual(ended.rows, [
      { status: 'Completed', done: 2, failed: 2 },
      { status: 'Completed', done: 1, failed: 0 },
    ]);
    assert.deepEqual(
      lines.filter((line) => line.includes('cannot be stored')).length,
      2,
      'who runs the product is told of each',
    );
  } finally {
    await queue.stop({ graceful: false, close: false });
    await database.close();
  }
});
