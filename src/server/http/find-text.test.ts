import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findText } from './find-text.ts';

const find = (body: unknown) => findText(body, (text) => text.includes('!'));

test('the path of the first text is found, in a name or a value', () => {
  assert.equal(find('a!'), '');
  assert.equal(find({ a: 1, b: [null, { c: 'x' }, ['y!', 'z!']], d: 'late!' }), 'b.2.0');
  assert.equal(find({ a: {}, b: [{ 'c!': 1 }] }), 'b.0.c!');
  for (const body of [undefined, null, 7, 'a', [], { a: [{}, ['b']] }]) assert.equal(find(body), undefined);
});

test('no entry is read before its turn, so that a long list is not copied', () => {
  const list = ['a!'];
  Object.defineProperty(list, 1, { enumerable: true, get: () => assert.fail('read too early') });
  assert.equal(find({ list }), 'list.0');
});
