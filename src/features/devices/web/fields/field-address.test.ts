import assert from 'node:assert/strict';
import { test } from 'node:test';
import { deviceFilter, readQuery } from '../device-filter.ts';
import { toQueryString } from '../devices.api.ts';
import { fieldFilter, keepOrder, readFieldFilters, writeFieldFilters } from './field-address.view.ts';

test('a saved view keeps all of its filters by own columns', () => {
  const query = 'field.employee.contains=si+%26+ti&field.site=Solo&field.site.empty=false';
  const shown = readQuery(query);
  assert.equal(fieldFilter().parse(shown.own), shown.own);
  assert.equal(toQueryString(shown), `sort=serial_number&order=asc&${query}`);
});

test('a value of several lines is one filter, and a filter without a column is left out', () => {
  const filters = [
    { key: 'note', how: '', value: 'one\nTwo=2' },
    { key: 'site', how: 'empty', value: 'true' },
  ] as const;
  const text = writeFieldFilters([...filters, { key: '', how: 'contains', value: 'x' }]);
  assert.deepEqual(readFieldFilters(text), filters);
  assert.deepEqual(readFieldFilters(''), []);
});

test('a filter by an own column narrows a list once it has a value', () => {
  const narrows = (own: string) => deviceFilter.isNarrowed({ ...deviceFilter.none, own });
  assert.deepEqual(['', 'site.contains=', 'site='].map(narrows), [false, false, false]);
  assert.deepEqual(['site.empty=true', 'employee=\nsite=Solo'].map(narrows), [true, true]);
});

test('an order by a column that a company does not have is replaced once its columns are known', () => {
  const shown = { sort: 'field.site', order: 'desc' };
  const address = { sort: { initial: 'type' }, order: { initial: 'asc' } };
  assert.deepEqual(keepOrder(shown, undefined, address), shown);
  assert.deepEqual(keepOrder(shown, [{ key: 'site', name: 'Site' }], address), shown);
  assert.deepEqual(keepOrder(shown, [], address), { sort: 'type', order: 'asc' });
  const byEnd = { sort: 'coverage_end_date', order: 'desc' };
  assert.deepEqual(keepOrder(byEnd, [], address), byEnd);
});
