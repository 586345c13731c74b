import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import type { Pool } from 'pg';
import { pino } from 'pino';
import { createWakeup } from '#server/concurrency/wakeup.ts';
import { createTestDatabase } from '#tests/support/database/database.ts';
import { fetchReady } from '#tests/support/lookups/jobs.ts';
import { registration } from '#tests/support/lookups/registration.ts';
import { makeResult } from '#tests/support/lookups/source-queue.ts';
import { importTicket } from '#tests/support/lookups/tickets.ts';
import { waitFor } from '#tests/support/wait.ts';
import { loadBatch } from '../fetch/load-batch.ts';
import type { Batch } from '../rows/batch.ts';
import { initialLookupState } from '../rows/lookup-state.ts';
import { createResultWriter } from './result-writer.ts';
import { writeOrIsolate } from './write-or-isolate.ts';

test('a failed write is repeated until it succeeds, together with newer changes', async () => {
  const database = await createTestDatabase();
  const { pool } = database;
  const lines: string[] = [];
  const log = pino({ level: 'error' }, { write: (line: string) => lines.push(line) });
  try {
    const ticketId = await importTicket(pool, ['A', 'B']);
    const [job] = await fetchReady(pool);
    assert.ok(job);
    const batch = await loadBatch(pool, job, { sources: [], hours: 0 });
    const [first, second] = [...batch.rows.active].map(makeResult);
    assert.ok(first && second);
    let wakes = 0;
    const wakeup = {
      wake() {
        wakes += 1;
      },
    };
    const writer = createResultWriter(log, { pool, registration, reusable: [] }, wakeup);
    await refuseUpdates(pool, 'true', '57014');
    writer.addResult(batch, first);
    await waitFor('a write to fail', async () =>
      lines.some((line) => line.includes('could not be written yet')),
    );
    writer.addResult(batch, second);
    writer.endBatch(batch, null);
    // 5000 less two: changes that are being written count, too.
    assert.equal(writer.room, 4998);
    await pool.query('DROP TRIGGER refuse ON serials');
    await writer.flush();
    assert.equal(writer.room, 5000);
    assert.equal(wakes, 2);
    const read = async (sql: string) => (await pool.query(sql)).rows;
    assert.deepEqual(await read('SELECT serial, state FROM serials ORDER BY position'), [
      { serial: 'A', state: 'done' },
      { serial: 'B', state: 'done' },
    ]);
    assert.deepEqual(await read(`SELECT status, done FROM tickets WHERE id = ${ticketId}`), [
      { status: 'Completed', done: 2 },
    ]);
    assert.deepEqual(await read('SELECT FROM lookup_jobs'), []);
  } finally {
    await database.close();
  }
});

test('an answer that cannot be stored fails only its own row', {
  timeout: 60_000,
}, async () => {
  const database = await createTestDatabase();
  const { pool } = database;
  const lines: string[] = [];
  const log = pino({ level: 'error' }, { write: (line: string) => lines.push(line) });
  try {
    const tickets = [await importTicket(pool, ['A', 'B', 'C', 'D']), await importTicket(pool, ['E'])];
    const jobs = await fetchReady(pool, 2);
    const loaded = await Promise.all(jobs.map((job) => loadBatch(pool, job, { sources: [], hours: 0 })));
    const [first, other] = tickets.map((id) => loaded.find(({ ticketId }) => ticketId === id));
    assert.ok(first && other);
    const writer = createResultWriter(log, { pool, registration, reusable: [] }, createWakeup());
    const [good, bad, polled, last] = first.rows.active;
    const [only] = other.rows.active;
    assert.ok(good && bad && polled && last && only);
    const coverage = { activation_status: null, purchase_date: null, warranty_title: null };
    const days = { coverage_start_date: null, coverage_end_date: null };
    const unstorable = 'a\0b';
    writer.addResult(first, makeResult(good));
    writer.addResult(first, {
      ...makeResult(bad),
      coverage: { ...coverage, ...days, type: unstorable },
    });
    polled.lookupState = { ...initialLookupState, source: 'first', tries: 2, poll: unstorable };
    writer.addLookupState(polled);
    writer.addResult(first, makeResult(last));
    writer.endBatch(first, null);
    writer.addResult(other, makeResult(only));
    writer.endBatch(other, null);
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
    const ended = await pool.query('SELECT status, done, failed, unavailable FROM tickets ORDER BY id');
    assert.deepEqual(ended.rows, [
      { status: 'Completed', done: 2, failed: 2, unavailable: 2 },
      { status: 'Completed', done: 1, failed: 0, unavailable: 0 },
    ]);
    assert.deepEqual(
      lines.filter((line) => line.includes('cannot be stored')).length,
      2,
      'who runs the product is told of each',
    );
  } finally {
    await database.close();
  }
});

/** Imports a ticket with one job. @returns its batch */
async function loadTicket(pool: Pool, serials: string[]): Promise<Batch> {
  await importTicket(pool, serials);
  const [job] = await fetchReady(pool);
  assert.ok(job);
  return loadBatch(pool, job, { sources: [], hours: 0 });
}

/** Creates a writer for a ticket with one job, and collects its log. */
async function openWriter(t: TestContext, serials: string[], refusedMs?: number) {
  const database = await createTestDatabase();
  const { pool } = database;
  const lines: string[] = [];
  const log = pino({ level: 'error' }, { write: (line: string) => lines.push(line) });
  t.after(async () => {
    await database.close();
  });
  const batch = await loadTicket(pool, serials);
  const reusable = [{ name: 'first', key: 'first-1' }];
  return {
    pool,
    lines,
    batch,
    rows: [...batch.rows.active],
    writer: createResultWriter(log, { pool, registration, reusable }, createWakeup(), refusedMs),
    readRows: async () =>
      (await pool.query('SELECT serial, state, details FROM serials ORDER BY position')).rows,
    readTicket: async () => (await pool.query('SELECT status, done, failed FROM tickets')).rows[0],
  };
}

const found = {
  type: 'Phone',
  activation_status: null,
  purchase_date: null,
  warranty_title: null,
  coverage_start_date: null,
  coverage_end_date: null,
};

test('an answer that makes a trigger fail fails only its own row', {
  timeout: 60_000,
}, async (t) => {
  const stage = await openWriter(t, ['A', 'B', 'C']);
  const { pool, lines, writer, batch, rows } = stage;
  await refuseUpdates(pool, "new.type = 'Odd'", 'XX000');
  for (const row of rows) {
    const coverage = { ...found, type: row.serial === 'B' ? 'Odd' : 'Phone' };
    writer.addResult(batch, { ...makeResult(row), coverage, fetchedAt: Date.now() });
  }
  writer.endBatch(batch, null);
  await writer.flush();
  assert.deepEqual(await stage.readRows(), [
    { serial: 'A', state: 'done', details: null },
    { serial: 'B', state: 'failed', details: 'the answer cannot be stored' },
    { serial: 'C', state: 'done', details: null },
  ]);
  assert.deepEqual(await stage.readTicket(), { status: 'Completed', done: 2, failed: 1 });
  assert.equal(lines.filter((line) => line.includes('cannot be stored')).length, 1);
});

test('answers that cannot be cached are still written', {
  timeout: 60_000,
}, async (t) => {
  const stage = await openWriter(t, ['A', 'B']);
  const { pool, lines, writer, batch, rows } = stage;
  await pool.query('ALTER TABLE coverage_cache RENAME COLUMN type TO kind');
  for (const row of rows)
    writer.addResult(batch, { ...makeResult(row), coverage: found, fetchedAt: Date.now() });
  writer.endBatch(batch, null);
  await writer.flush();
  assert.deepEqual(await stage.readTicket(), { status: 'Completed', done: 2, failed: 0 });
  assert.equal(lines.filter((line) => line.includes('could not be cached for other tickets')).length, 2);
});

test('a row for which no result can be stored does not block other rows', { timeout: 60_000 }, async (t) => {
  const stage = await openWriter(t, ['A', 'B', 'C']);
  const { pool, lines, writer, batch, rows } = stage;
  await refuseUpdates(pool, "old.serial = 'A'", 'XX001');
  for (const row of rows) writer.addResult(batch, makeResult(row));
  await writer.flush();
  assert.deepEqual(
    (await stage.readRows()).map(({ state }) => state),
    ['pending', 'done', 'done'],
  );
  assert.equal(writer.room, 4999, 'the row is kept');
  assert.equal(lines.filter((line) => line.includes('refuses the statement itself')).length, 1);
});

test('rows for which no result can be stored block neither their batch nor other tickets', {
  timeout: 60_000,
}, async (t) => {
  const { pool, lines, writer, batch, rows } = await openWriter(t, ['A', 'B', 'C', 'D']);
  await refuseUpdates(pool, "old.serial IN ('A', 'B', 'C')", 'XX001');
  const other = await loadTicket(pool, ['E']);
  for (const row of rows) writer.addResult(batch, makeResult(row));
  for (const row of other.rows.active) writer.addResult(other, makeResult(row));
  writer.endBatch(other, null);
  await writer.flush();
  const { rows: done } = await pool.query("SELECT serial FROM serials WHERE state = 'done' ORDER BY serial");
  assert.deepEqual(done, [{ serial: 'D' }, { serial: 'E' }]);
  assert.equal(writer.room, 4997, 'the rows are kept');
  assert.deepEqual([...writer.batches], [batch]);
  assert.equal(lines.filter((line) => line.includes('refuses the statement itself')).length, 1);
});

test('after three seconds no more refused batches are split into rows, and these come first the next time', {
  timeout: 60_000,
}, async (t) => {
  const { pool, batch } = await openWriter(t, ['A']);
  await refuseUpdates(pool, 'true', 'XX001');
  const changes = [batch, await loadTicket(pool, ['B'])].map((each) => ({
    batch: each,
    results: [...each.rows.active].map(makeResult),
    lookupStates: new Map(),
    followUp: undefined,
  }));
  let now = 0;
  t.mock.method(performance, 'now', () => {
    now += 2000;
    return now;
  });
  const log = pino({ level: 'silent' });
  const { refused } = await writeOrIsolate({ pool, registration, reusable: [] }, log, changes);
  assert.deepEqual(
    refused.map(({ results }) => results.map(({ serial }) => serial)),
    [['B'], ['A']],
  );
});

test('a flush writes newer results of a batch with a refused row at once', { timeout: 60_000 }, async (t) => {
  const stage = await openWriter(t, ['A', 'B']);
  const { pool, writer, batch, rows } = stage;
  await refuseUpdates(pool, "old.serial = 'A'", 'XX001');
  for (const row of rows) {
    writer.addResult(batch, makeResult(row));
    await writer.flush();
  }
  assert.deepEqual(
    (await stage.readRows()).map(({ state }) => state),
    ['pending', 'done'],
  );
  assert.equal(writer.room, 4999, 'the refused row is kept');
});

test('a row that is refused when it is written alone does not block later batches', {
  timeout: 60_000,
}, async (t) => {
  const { pool, writer, batch, rows } = await openWriter(t, ['A']);
  await refuseUpdates(pool, "old.serial = 'A'", 'XX001');
  for (const row of rows) writer.addResult(batch, makeResult(row));
  writer.endBatch(batch, null);
  await writer.flush();
  const later = await loadTicket(pool, ['B']);
  for (const row of later.rows.active) writer.addResult(later, makeResult(row));
  await waitFor('the later row to be written', async () => {
    const { rows: done } = await pool.query("SELECT FROM serials WHERE serial = 'B' AND state = 'done'");
    return done.length > 0;
  });
  assert.equal(writer.room, 4999);
});

test('a job does not end while a row of it has no stored result', {
  timeout: 60_000,
}, async (t) => {
  const stage = await openWriter(t, ['A', 'B', 'C', 'D', 'E'], 500);
  const { pool, writer, batch, rows } = stage;
  await refuseUpdates(pool, "old.serial IN ('A', 'C')", 'XX001');
  const [a, b, c, d, e] = rows;
  assert.ok(a && b && c && d && e);
  for (const some of [[a, b], [c, d], [e]]) {
    for (const row of some) writer.addResult(batch, makeResult(row));
    if (some.includes(e)) writer.endBatch(batch, null);
    await writer.flush();
  }
  await waitFor('the newer results', async () => (await stage.readTicket()).done === 3);
  await writer.flush();
  const { rows: jobs } = await pool.query('SELECT holder IS NOT NULL AS held FROM lookup_jobs');
  assert.deepEqual(jobs, [{ held: true }]);
  assert.deepEqual([...writer.batches], [batch], 'it is still held');
  assert.deepEqual([...writer.findUnwritten(batch)].sort(), [a.position, c.position]);
  assert.equal(writer.room, 4998);
});

test('no result is lost while the database refuses every write, and the log says what to do', {
  timeout: 60_000,
}, async (t) => {
  const stage = await openWriter(t, ['A', 'B'], 1000);
  const { pool, lines, writer, batch, rows } = stage;
  const tries = () => lines.filter((line) => line.includes('refuses the statement itself')).length;
  await pool.query('ALTER TABLE serials RENAME COLUMN reason TO why');
  for (const row of rows) writer.addResult(batch, makeResult(row));
  writer.endBatch(batch, null);
  await waitFor('a second try', async () => tries() >= 2);
  assert.equal(writer.room, 4998);
  await pool.query('ALTER TABLE serials RENAME COLUMN why TO reason');
  await waitFor('the results', async () => (await stage.readTicket()).status === 'Completed');
  assert.deepEqual(await stage.readTicket(), { status: 'Completed', done: 2, failed: 0 });
});

test('the writer stops retrying when its pool is closed', {
  timeout: 60_000,
}, async (t) => {
  const { pool, lines, writer, batch, rows } = await openWriter(t, ['A']);
  const tries = () => lines.filter((line) => line.includes('could not be written yet')).length;
  await refuseUpdates(pool, 'true', '57014');
  for (const row of rows) writer.addResult(batch, makeResult(row));
  await waitFor('a write to fail', async () => tries() > 0);
  await pool.end();
  await writer.flush();
  assert.equal(writer.room, 5000);
});

/** Makes updates of the rows that meet the SQL condition fail with a SQLSTATE code. */
async function refuseUpdates(pool: Pool, when: string, code: string) {
  await pool.query(`CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS
    $$ BEGIN RAISE 'refused' USING ERRCODE = '${code}'; END $$`);
  await pool.query(
    `CREATE TRIGGER refuse BEFORE UPDATE ON serials FOR EACH ROW WHEN (${when}) EXECUTE FUNCTION refuse()`,
  );
}
