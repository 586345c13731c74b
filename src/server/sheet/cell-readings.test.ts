import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CellReadings } from './cell-readings.ts';
import { SharedCells } from './shared-cells.ts';

const long = 'x'.repeat(30_000);

test('a long shared text is parsed once, and the characters of different texts are limited', () => {
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
      for (let n = 0; n < 10_000; n++) readings.read({ text: `${n} ${long}`, numeric: false });
    },
    { fault: 'bomb' },
  );
  assert.throws(() => shared.get(1), { fault: 'corrupt' });
});

test('the number of identifiers per sheet is limited, including those of shared texts', () => {
  const list = Array.from({ length: 3600 }, (_, n) => `A${1_000_000 + n}`).join(',');
  const shared = new SharedCells(() => list);
  const readings = new CellReadings();
  const cell = shared.get(0) ?? assert.fail('no cell');
  const readAgain = (times: number) => {
    for (let n = 0; n < times; n++) readings.read(cell);
  };
  readAgain(1000);
  assert.throws(() => readAgain(1000), { fault: 'bomb' });
});
