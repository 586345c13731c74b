import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { SheetPreview } from '#features/imports/imports.contract.ts';
import { listCorrections, toOneLine } from './corrections.ts';
import { expectImport } from './expect-import.ts';

const preview: SheetPreview = {
  sheet: 'Sheet1',
  sheets: ['Sheet1'],
  suggested_sheet: null,
  column: 'A',
  default_column: 'A',
  suggested_column: null,
  columns: [],
  heads: {},
  fields: {},
  seen: null,
  rows: 13,
  valid_count: 10,
  invalid_count: 3,
  duplicate_count: 0,
  header_skipped: false,
  known_count: 6,
  known_ages: [
    { days: 0, count: 2 },
    { days: 7, count: 4 },
  ],
  price_total: 8000,
  price_per_data: 800,
  discount: 0,
  exceeds_budget: false,
  estimate_seconds: 30,
  seconds_per_row: 2,
  invalid: [2, 3, 4].map((row) => ({ row, value: 'x', reason: '' })),
};
const plain = { corrections: {}, freshDays: null, billsKnown: true };

test('rows that the register answers take no time, and cost nothing where they are not billed', () => {
  assert.deepEqual(expectImport(preview, plain), {
    valid: 10,
    invalid: 3,
    fresh: 0,
    billed: 10,
    seconds: 30,
  });
  const fresh = expectImport(preview, { ...plain, freshDays: 7 });
  assert.deepEqual([fresh.fresh, fresh.billed, fresh.seconds], [2, 10, 26]);
  const unbilled = expectImport(preview, { ...plain, freshDays: 8, billsKnown: false });
  assert.deepEqual([unbilled.fresh, unbilled.billed, unbilled.seconds], [6, 4, 18]);
  const known = { ...preview, valid_count: 6 };
  assert.equal(expectImport(known, { ...plain, freshDays: 8 }).seconds, 0);
  assert.equal(
    expectImport({ ...preview, estimate_seconds: null, seconds_per_row: null }, plain).seconds,
    null,
  );
});

test('typed texts correct the listed invalid cells, where they hold an identifier', () => {
  const typedOver = (text: string) => ({ text, value: 'x' });
  const typed = {
    A2: typedOver('356303489012342, C02ABCD1'),
    A3: typedOver('no serial'),
    A4: typedOver(''),
  };
  const corrections = listCorrections(typed);
  assert.deepEqual(corrections, { A2: typed.A2.text });
  const { valid, invalid, billed, seconds } = expectImport(preview, { ...plain, corrections });
  assert.deepEqual([valid, invalid, billed, seconds], [12, 2, 12, 34]);
  const repeated = { A2: typed.A2.text, A3: '35-630348-901234-2' };
  assert.equal(expectImport(preview, { ...plain, corrections: repeated }).billed, 12);
});

test('a text that was typed and taken back corrects nothing, although it could be read as a serial', () => {
  const value = '3563034890123420';
  assert.deepEqual(listCorrections({ A2: { text: value, value } }), {});
  assert.deepEqual(listCorrections({ A2: { text: `${value} `, value } }), {});
  const text = '3563034890123427';
  assert.deepEqual(listCorrections({ A2: { text, value } }), { A2: text });
});

test('the lines of a cell are divided in one line as they were', () => {
  assert.equal(toOneLine('\n356303489012342 \r\n C02ABCD,\n1\r'), '356303489012342,C02ABCD,1');
});
