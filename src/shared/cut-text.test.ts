import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cutText } from './cut-text.ts';

test('a text is cut to its longest form without half of a character', () => {
  assert.equal(cutText('ab😀c', 3), 'ab');
  assert.equal(cutText('ab😀c', 4), 'ab😀');
  assert.equal(cutText('ab😀', 4), 'ab😀');
  assert.equal(cutText('abcd', 3), 'abc');
});
