import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { statements } from '#server/db/statement.ts';
import { createTestApi, type TestApi } from '#tests/support/api/api.ts';
import { createTicketWithRows, createUser } from '#tests/support/api/factories.ts';
import { registerResults } from './registration.queries.ts';

let api: TestApi;
before(async () => {
  api = await createTestApi();
});
after(() => api.close());

type Step = {
  'Actual Rows': number;
  'Actual Loops': number;
  'Rows Removed by Filter'?: number;
  'Rows Removed by Join Filter'?: number;
  Plans?: Step[];
};

/** Returns the most rows that one step of a plan examined. */
function countExamined(step: Step): number {
  const removed = (step['Rows Removed by Filter'] ?? 0) + (step['Rows Removed by Join Filter'] ?? 0);
  const own = (step['Actual Rows'] + removed) * step['Actual Loops'];
  return Math.max(own, ...(step.Plans ?? []).map(countExamined));
}

test('registering new, equal, changed and older answers examines each row a few times', async () => {
  const { db } = api.context;
  const count = 1500;
  const user = await createUser(api);
  const text = statements.find(({ name }) => name === 'register-results')?.text ?? '';
  // Autovacuum would let the planner know how many rows there are.
  for (const table of ['devices', 'device_answers', 'serials', 'unregistered_results'])
    await db.query(`ALTER TABLE ${table} SET (autovacuum_enabled = false)`);
  const answers = [
    ['new', 'iPad', '2026-11-20'],
    ['equal', 'iPad', '2026-11-21'],
    ['changed', 'iPhone', '2026-11-22'],
    ['older', 'iPod', '2026-11-19'],
  ];
  for (const [what, type, at] of answers) {
    const { id } = await createTicketWithRows(api, {
      companyCode: user.companyCode,
      createdBy: user.id,
      rows: Array.from({ length: count }, () => ({ state: 'done', type: type ?? '' })),
    });
    await db.query('UPDATE serials SET fetched_at = $2 WHERE ticket_id = $1', [id, at]);
    const notes = await db.query<{ id: number }>('SELECT id FROM unregistered_results WHERE ticket_id = $1', [
      id,
    ]);
    const note = notes.rows[0]?.id ?? 0;
    const client = await db.connect();
    try {
      await client.query('BEGIN');
      const { rows } = await client.query(`EXPLAIN (ANALYZE, FORMAT JSON) ${text}`, [note]);
      const examined = countExamined(rows[0]['QUERY PLAN'][0].Plan);
      assert.ok(examined <= 3 * count, `${what}: one step examined ${examined} rows of ${count}`);
      await client.query('ROLLBACK');
    } finally {
      client.release();
    }
    const changes = await registerResults.all(db, { noteId: note });
    assert.equal(changes.length, what === 'changed' ? count : 0, what);
  }
});
