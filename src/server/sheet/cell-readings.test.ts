import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CellReadings } from './cell-readings.ts';
import { SharedCells } from './shared-cells.ts';

const long = 'x'.repeat(30_000);

test('a long text is looked at once for all cells that share it, and for all others only so often', () => {
  const shared = new SharedCells((index) => (index === 0 ? long : undefined));
  const readings = new CellReadings();
  const cell = shared.get(0) ?? assert.fail('no cell');
  const first = readings.read(cell);
  assert.equal(first.kind, 'invalid');
  for (let times = 0; times < 10_000; times++) {
    assert.equal(readings.read(shared.get(0) ?? assert.fail('no cell')), first);
  }
  assert.throws(
    () => {
      for (let times = 0; times < 10_000; times++) readings.read({ text: long, numeric: false });
    },
    { family: 'bomb' },
  );
  assert.throws(() => shared.get(1), { family: 'corrupt' });
});
