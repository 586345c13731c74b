import assert from 'node:assert/strict';
import { it } from 'node:test';
import { localeOf } from './locale.ts';

it('answers Indonesian only when it is asked for first', () => {
  assert.equal(localeOf('id'), 'id');
  assert.equal(localeOf('id-ID,en;q=0.5'), 'id');
  assert.equal(localeOf('ID;q=0.9'), 'id');
  assert.equal(localeOf('en,id'), 'en');
  assert.equal(localeOf('fr'), 'en');
  assert.equal(localeOf(undefined), 'en');
});
