import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeBatch } from '#tests/support/lookups/source-queue.ts';
import { initialLookupState } from '../rows/lookup-state.ts';
import { pickProbeRow } from './pick-probe-row.ts';

const makeRows = (count: number) =>
  makeBatch(Array<'serial'>(count).fill('serial')).rows.map((row) => ({
    ...row,
    lookupState: { ...initialLookupState, source: 'first', tries: 1 },
  }));

test('a row that no call has failed about is always picked among rows that failed', () => {
  const rows = makeRows(50).map((row, n) => (n === 20 ? { ...row, lookupState: initialLookupState } : row));
  for (let probe = 1; probe <= 50; probe += 1) assert.equal(pickProbeRow(rows)?.serial, 'S20');
});

test('each of the rows that failed is picked some time, and none of no rows', () => {
  const rows = makeRows(2);
  const picked = new Set(Array.from({ length: 100 }, () => pickProbeRow(rows)?.serial));
  assert.deepEqual([...picked].sort(), ['S0', 'S1']);
  assert.equal(pickProbeRow([]), undefined);
});
