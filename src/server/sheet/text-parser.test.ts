import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { SheetCell } from '#shared/identifier.ts';
import { TextParser } from './text-parser.ts';

const cell = (text: string) => ({ text, numeric: false });

test('a repeated text is parsed and counted once, and past the maximum only numbers and repeated texts are read', () => {
  let parsed = 0;
  const parser = new TextParser(({ text }: SheetCell) => {
    parsed += 1;
    return text.length;
  }, 1000);
  const short = 'ab '.repeat(65);
  for (let times = 0; times < 1000; times++) assert.equal(parser.read(cell(short)), 195);
  assert.equal(parsed, 1);
  for (const letter of ['a', 'b', 'c', 'd']) assert.equal(parser.read(cell(letter.repeat(200))), 200);
  assert.equal(parser.read(cell('e'.repeat(200))), undefined);
  assert.equal(parser.read(cell(short)), 195);
  assert.equal(parser.read(cell('356938030010004')), 15);
  assert.equal(parser.read({ text: '1'.repeat(200), numeric: true }), 200);
});

test('texts beyond the room of the cache are parsed and counted again', () => {
  const parser = new TextParser(({ text }: SheetCell) => text.length, 10_000_000);
  for (let n = 0; n < 5000; n++) parser.read(cell(`${n} ${'x'.repeat(1000)}`));
  for (let times = 0; times < 5_000; times++) parser.read(cell(`4999 ${'x'.repeat(1000)}`));
  assert.equal(parser.read(cell('y'.repeat(1000))), undefined);
  assert.equal(parser.read(cell(`0 ${'x'.repeat(1000)}`)), 1002);
});
