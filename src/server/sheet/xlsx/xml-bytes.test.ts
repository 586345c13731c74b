import assert from 'node:assert/strict';
import { test } from 'node:test';
import { XmlBytes } from './xml-bytes.ts';

const text = '<a>é€😀z</a>';
const forms: Record<string, Buffer> = {
  'UTF-8': Buffer.from(text),
  'UTF-8 with its mark': Buffer.from(`\uFEFF${text}`),
  'UTF-16': Buffer.from(`\uFEFF${text}`, 'utf16le'),
  'UTF-16 of the other order': Buffer.from(`\uFEFF${text}`, 'utf16le').swap16(),
  'UTF-16 without its mark': Buffer.from(text, 'utf16le'),
  'UTF-16 of the other order without its mark': Buffer.from(text, 'utf16le').swap16(),
};

for (const [form, bytes] of Object.entries(forms)) {
  test(`${form} is decoded correctly at any boundary of chunks`, () => {
    for (let at = 0; at <= bytes.length; at++) {
      const decoder = new XmlBytes();
      const read = [bytes.subarray(0, at), bytes.subarray(at)].map((piece) => decoder.decode(piece)).join('');
      assert.equal(read.replace(/^\uFEFF/, ''), text, `parted at ${at}`);
      decoder.end();
      const bytesDecoder = new XmlBytes();
      const pieces = [bytes.subarray(0, at), bytes.subarray(at)].map((piece) => bytesDecoder.toUtf8(piece));
      assert.equal(Buffer.concat(pieces).toString(), text, `parted at ${at}`);
    }
  });
}

test('an encoding that the XML declaration names is used, unless the first bytes tell another', () => {
  const read = (encoding: string, bytes: string) => {
    const whole = Buffer.from(`<?xml version="1.0" encoding='${encoding}'?>${bytes}`, 'latin1');
    const decoder = new XmlBytes();
    return Array.from(whole, (_, at) => decoder.toUtf8(whole.subarray(at, at + 1)).toString())
      .join('')
      .replace(/^.*\?>/, '');
  };
  assert.equal(read('ISO-8859-1', '<a>\xe9</a>'), '<a>\u00e9</a>');
  assert.equal(read('windows-1251', '<a>\xc0</a>'), '<a>\u0410</a>');
  assert.equal(read('utf-16', '<a>b</a>'), '<a>b</a>');
  assert.throws(() => read('no-such', '<a/>'), { fault: 'corrupt' });
});

test('complete characters are returned at once, and a truncated end is refused', () => {
  for (const [whole, cut] of [
    ['<aa>z', 0],
    ['<aa>é', 1],
    ['<aa>€', 2],
    ['<aa>😀', 3],
  ] as const) {
    const decoder = new XmlBytes();
    assert.equal(decoder.decode(Buffer.from(whole)), whole);
    decoder.end();
    const early = new XmlBytes();
    early.decode(Buffer.from(`${whole}.`).subarray(0, -2));
    if (cut > 0) assert.throws(() => early.end(), { fault: 'corrupt' });
    else early.end();
  }
});
