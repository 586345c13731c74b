import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeKey } from './make-key.ts';

test('the key of a column is made of its name, in the form of keys, and is unique', () => {
  assert.equal(makeKey('Asset number', new Set()), 'asset_number');
  assert.equal(makeKey(' 2. Büro ', new Set()), 'buro');
  assert.equal(makeKey('部門', new Set()), 'field');
  assert.equal(makeKey('Site', new Set(['site', 'site_2'])), 'site_3');
  const long = makeKey('x'.repeat(60), new Set(['x'.repeat(31)]));
  assert.match(long, /^[a-z][a-z0-9_]{0,30}$/);
});
