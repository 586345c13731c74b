import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pageWindow } from './page-window.ts';

test('a short list has every page and no shortcut', () => {
  assert.deepEqual(pageWindow(2, 4), [1, 2, 3, 4]);
  assert.deepEqual(pageWindow(1, 5), [1, 2, 3, 4, 5]);
});

test('the window stays five wide at both ends', () => {
  assert.deepEqual(pageWindow(1, 20), [1, 2, 3, 4, 5, 'gap', 20]);
  assert.deepEqual(pageWindow(20, 20), [1, 'gap', 16, 17, 18, 19, 20]);
});

test('in the middle both ends are shortcuts', () => {
  assert.deepEqual(pageWindow(10, 20), [1, 'gap', 8, 9, 10, 11, 12, 'gap', 20]);
});

test('neighbouring shortcuts need no gap', () => {
  assert.deepEqual(pageWindow(4, 7), [1, 2, 3, 4, 5, 6, 7]);
  assert.deepEqual(pageWindow(3, 6), [1, 2, 3, 4, 5, 6]);
});
