import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readQuery } from '../device-filter.ts';
import { toQueryString } from '../devices.api.ts';
import { fieldFilter, readFieldFilters, writeFieldFilters } from './field-address.view.ts';

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
