import assert from 'node:assert/strict';
import { test } from 'node:test';
import { bestFirst } from './best-first.ts';

const find = (items: string[], typed: string) => bestFirst(items, typed, (item) => [item]);

test('the very same comes first, then what begins with it, then what holds it', () => {
  assert.deepEqual(find(['21', '12', '11', '1'], '1'), ['1', '12', '11', '21']);
  assert.deepEqual(find(['Xacm', 'ACM0012', 'ACM001'], 'acm001'), ['ACM001', 'ACM0012']);
});

test('nothing typed leaves the list as it is, and words may stand in any order', () => {
  assert.deepEqual(find(['b', 'a'], ' '), ['b', 'a']);
  assert.deepEqual(find(['Upload Data', 'Upload Proxies'], 'data upl'), ['Upload Data']);
  assert.deepEqual(find(['Upload Data'], 'tickets'), []);
});
