import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pino } from 'pino';
import { createTestDatabase } from '#tests/support/database.ts';
import { makeResult } from '#tests/support/source-queue.ts';
import { importTicket } from '#tests/support/tickets.ts';
import { waitFor } from '#tests/support/wait.ts';
import { loadBatch } from '../fetch/load-batch.ts';
import { type LookupJob, lookupQueue } from '../jobs/lookup-jobs.queries.ts';
import { openQueue } from '../jobs/open-queue.ts';
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
    const gone: number[][] = [];
    const writer = createResultWriter(log, { pool, queue, reusable: [] }, (tickets) => gone.push(tickets));
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
    assert.deepEqual(gone, [[], []]);
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
