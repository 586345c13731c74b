import assert from 'node:assert/strict';
import { test } from 'node:test';
import { XmlReader } from './xml-reader.ts';

const read = (xml: string, maxMarkup = 1000) => {
  const names: string[] = [];
  const reader = new XmlReader(maxMarkup, { open: (name) => names.push(name), close: () => undefined });
  reader.write(Buffer.from(xml));
  reader.end();
  return names.length;
};

test('an XML part may be nested 256 levels deep', () => {
  const nested = (depth: number) => '<a>'.repeat(depth) + '</a>'.repeat(depth);
  assert.equal(read(nested(256)), 256);
  assert.throws(() => read(nested(257)), { fault: 'bomb' });
  // Siblings are not nested.
  assert.equal(read(`<r>${'<a><b/></a>'.repeat(300)}</r>`), 601);
});

test('the number of tags, comments and instructions in an XML part is limited', () => {
  const pieces = (count: number) => `<r><!-- a --><?b c?><![CDATA[d]]>${'<e/>'.repeat(count - 4)}</r>`;
  assert.equal(read(pieces(10), 10), 7);
  assert.throws(() => read(pieces(11), 10), { fault: 'bomb' });
});
