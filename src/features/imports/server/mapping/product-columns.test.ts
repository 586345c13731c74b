import assert from 'node:assert/strict';
import { test } from 'node:test';
import { m } from '#shared/texts/messages.js';
import { findProductColumns } from './product-columns.ts';

const locale = 'id';
const core = [
  ...[m.server_column_type, m.server_column_status, m.server_column_purchase_date, m.server_column_warranty],
  ...[m.server_column_coverage_start, m.server_column_coverage_end, m.server_column_expires],
].map((head) => head({}, { locale }));
const placeInSheet = (heads: string[]) =>
  Object.fromEntries(heads.map((head, nth) => [String.fromCharCode(65 + nth), head]));

test('the heads of a sheet are the product’s also where an earlier version wrote them in other words', () => {
  for (const seen of [
    ['Pertama dicek', 'Terakhir dicek'],
    ['Pertama dilihat', 'Terakhir diperiksa'],
  ]) {
    const heads = placeInSheet(['Nomor Seri', ...core, ...seen, 'Lokasi']);
    assert.deepEqual([...findProductColumns(heads)].join(''), 'BCDEFGHIJ', seen.join());
  }
});
