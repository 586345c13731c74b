import assert from 'node:assert/strict';
import { test } from 'node:test';
import { XmlReader } from './xml-reader.ts';

const read = (xml: string, mostMarkup = 1000) => {
  const names: string[] = [];
  const reader = new XmlReader(mostMarkup, { open: (name) => names.push(name), close: () => undefined });
  reader.write(Buffer.from(xml));
  reader.end();
  return names.length;
};

test('an XML part may be nested 256 deep, and no deeper', () => {
  const nested = (depth: number) => '<a>'.repeat(depth) + '</a>'.repeat(depth);
  assert.equal(read(nested(256)), 256);
  assert.throws(() => read(nested(257)), { family: 'bomb' });
  // Beside each other is not within each other.
  assert.equal(read(`<r>${'<a><b/></a>'.repeat(300)}</r>`), 601);
});

test('an XML part may have as many pieces of markup as are allowed, comments and instructions among them', () => {
  const pieces = (count: number) => `<r><!-- a --><?b c?><![CDATA[d]]>${'<e/>'.repeat(count - 4)}</r>`;
  assert.equal(read(pieces(10), 10), 7);
  assert.throws(() => read(pieces(11), 10), { family: 'bomb' });
});
