import assert from 'node:assert/strict';
import { test } from 'node:test';
import { worksheetXml } from '#tests/support/sheets/make-workbook.ts';
import type { RawRow } from './raw-cell.ts';
import { SheetPart } from './sheet-part.ts';

const readPieces = (pieces: Buffer[]): RawRow[] => {
  const part = new SheetPart(3, 1000);
  for (const piece of pieces) part.write(piece);
  part.end();
  return part.take();
};

test('a worksheet part reads the same at any boundary of chunks', () => {
  const rows = [
    '<row r="1" spans="1:3"><c r="A1" s="1" t="str"><v>\u20ac &amp; \u{1F600}</v></c><c r="C1" t="b"><v>1</v></c></row>',
    '\n <row r="2"/><row r="4"><c r="B4"><v>3.5E3</v></c><c r="F4" t="inlineStr"><is><t>></t></is></c></row>',
    '<row r="5"><c r="A5" t="inlineStr"><is><t xml:space="preserve"> x_x000D_</t></is></c></row>',
    "<row r='6'><c r='A6'><!-- </row> --><v>7</v></c></row>",
    '<row r="7"><c t="s" r="A7"><v>12</v></c></row>',
  ];
  const xml = Buffer.from(`<?xml version="1.0"?>${worksheetXml(rows.join(''))}`);
  const whole = readPieces([xml]);
  assert.equal(whole.length, 5);
  for (let at = 0; at <= xml.length; at++) {
    const pieces = [xml.subarray(0, at), xml.subarray(at, at + 7), xml.subarray(at + 7)];
    assert.deepEqual(readPieces(pieces), whole);
  }
});

test('a row within a row is refused, because both would end at the same tag', () => {
  const nested = '<row><c><v>1</v><row><c><v>2</v></c></row></c><c><v>3</v></c></row>';
  assert.throws(() => readPieces([Buffer.from(worksheetXml(nested))]), { fault: 'corrupt' });
});
