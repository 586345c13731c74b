import assert from 'node:assert/strict';
import { test } from 'node:test';
import { formatCompanyCode, prefixOf } from './clients.service.ts';

test('the prefix is the first three letters or digits of the name', () => {
  const cases = [
    ['Acme Corporation', 'ACM'],
    ['3M', '3MX'],
    ['  P.T. Maju', 'PTM'],
    ['Électricité', 'ELE'],
    ['東京', 'XXX'],
    ['a', 'AXX'],
  ] as const;
  for (const [name, prefix] of cases) assert.equal(prefixOf(name), prefix);
});

test('the counter has three digits, and more when it needs them', () => {
  assert.equal(formatCompanyCode('ACM', 1), 'ACM001');
  assert.equal(formatCompanyCode('ACM', 1000), 'ACM1000');
});
