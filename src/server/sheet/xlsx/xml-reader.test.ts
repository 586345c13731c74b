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

const names = (xml: string) => {
  const found: string[] = [];
  for (const size of [1, 3, xml.length]) {
    const reader = new XmlReader(1000, {
      open: (name, tag) =>
        found.push(`<${name}${[...tag.attributes()].map(([key, value]) => ` ${key}=${value}`)}`),
      close: (name) => found.push(`/${name}`),
      text: (bytes, start, end, literal) =>
        found.push(`${literal ? 'literal ' : ''}${bytes.toString('utf8', start, end)}`),
    });
    const bytes = Buffer.from(xml);
    for (let at = 0; at < bytes.length; at += size) reader.write(bytes.subarray(at, at + size));
    reader.end();
    if (size === 1) continue;
    assert.deepEqual(found.splice(found.length / 2), found);
  }
  return found;
};

test('names are those of the namespace of the root, whatever their prefixes', () => {
  const xml =
    '<x:a xmlns:x="urn:x" xmlns:y="urn:y"><x:b c="&lt;" y:d=\'"\'/><y:b/><b xmlns="urn:x"><b/></b><x:b xmlns:x="urn:z"><x:b/></x:b><x:b>t</x:b ></x:a>';
  assert.deepEqual(names(xml), [
    ...[
      '<a xmlns:x=urn:x, xmlns:y=urn:y'.replaceAll('xmlns:', '{xmlns}'),
      '<b c=<, {urn:y}d="',
      '/b',
      '<{urn:y}b',
      '/{urn:y}b',
    ],
    ...['<b xmlns=urn:x', '<b', '/b', '/b'],
    ...['<{urn:z}b {xmlns}x=urn:z', '<{urn:z}b', '/{urn:z}b', '/{urn:z}b'],
    ...['<b', 't', '/b', '/a'],
  ]);
});

test('sections and text are found at any boundary of pieces', () => {
  const xml = '<?xml version="1.0"?><!-- <a> --><a>\u20ac<![CDATA[<b>]]]]>&amp;<!-- x --></a>\n';
  assert.deepEqual(names(xml), ['<a', '\u20ac', 'literal <b>]]', '&amp;', '/a']);
});

test('malformed XML is refused', () => {
  for (const xml of [
    '<a>',
    '<a></b>',
    '<a></ab>',
    '</a>',
    '<a/><b/>',
    '<a><1/></a>',
    '<a/><!-- ',
    '<a',
    '',
    '<a>\xff</a>',
  ])
    assert.throws(
      () => {
        const reader = new XmlReader(1000, { open: () => undefined, close: () => undefined });
        reader.write(Buffer.from(xml, 'latin1'));
        reader.end();
      },
      { fault: 'corrupt' },
      xml,
    );
  assert.throws(() => read('<a><!DOCTYPE b></a>'), { fault: 'dtd' });
  assert.throws(() => names('<a b=c/>'), { fault: 'corrupt' });
});
