import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CellReadings } from './cell-readings.ts';

const readAgain = (text: string, times: number) => {
  const readings = new CellReadings();
  for (let n = 0; n < times; n++) readings.read({ text, numeric: false });
};

test('the characters of long texts per sheet are limited', () => {
  readAgain('x'.repeat(30_000), 3000);
  assert.throws(() => readAgain('x'.repeat(30_000), 4000), { family: 'bomb' });
});

test('the number of identifiers per sheet is limited', () => {
  const list = Array.from({ length: 3600 }, (_, n) => `A${1_000_000 + n}`).join(',');
  readAgain(list, 1000);
  assert.throws(() => readAgain(list, 2000), { family: 'bomb' });
});
