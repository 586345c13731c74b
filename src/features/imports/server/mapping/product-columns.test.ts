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

test('the product finds its own heads in an Indonesian sheet, but not an own column behind them', () => {
  const heads = placeInSheet(['Nomor Seri', ...core, 'Pertama dicek', 'Terakhir dicek', 'Lokasi']);
  assert.deepEqual([...findProductColumns(heads)].join(''), 'BCDEFGHIJ');
});
