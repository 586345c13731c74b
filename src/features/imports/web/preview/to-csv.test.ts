import assert from 'node:assert/strict';
import { test } from 'node:test';
import { toCsv } from './to-csv.ts';

test('a CSV keeps quotes, separators and long numbers, and no text becomes a formula', () => {
  const rows = [
    ['Cell', 'Value'],
    ['A2', 'a "b", c\nd'],
    ['A3', '=1+1'],
    ['A4', '356938030010005'],
  ];
  const lines = ['"Cell","Value"', '"A2","a ""b"", c\nd"', '"A3","\'=1+1"', '"A4","\'356938030010005"', ''];
  assert.equal(toCsv(rows), `\uFEFF${lines.join('\r\n')}`);
});
