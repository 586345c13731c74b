import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeBatch } from '#tests/support/lookups/source-queue.ts';
import { moveRow, type RowEvent, rowStates } from './row-states.ts';

test('a row is in the set of its state after each event', () => {
  const [row] = makeBatch(['imei']).rows;
  assert.ok(row);
  const states = (['delay', 'due', 'park', 'resume', 'finish'] as const).map((event) => {
    moveRow(row, event);
    assert.deepEqual(
      Object.values(row.batch.rows).map((rows) => rows.has(row)),
      Object.keys(rowStates).map((state) => state === row.state),
    );
    return row.state;
  });
  assert.deepEqual(states, ['delayed', 'active', 'parked', 'active', 'finished']);
});

test('a row finishes once', () => {
  const [row] = makeBatch(['imei']).rows;
  assert.ok(row);
  moveRow(row, 'finish');
  for (const event of ['finish', 'delay', 'resume'] satisfies RowEvent[])
    assert.throws(() => moveRow(row, event), /no row is finished at the event/);
});
