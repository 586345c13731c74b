import fc from 'fast-check';
import { zip } from '#tests/support/sheets/make-workbook.ts';
import { byteChanges, type Change, mutate } from './mutate-bytes.ts';

/** The longest part, in characters: small enough for thousands of mutants. */
const longest = 1_500_000;
/** The longest text of a cell in Excel, rounded down. */
const longestText = 32_700;

const numbers = '0 1 -1 -0 . .5E 0x10 Infinity NaN 1e999 1E-999 3.53901E+14 16777216 4294967295 4294967296';
const cells = 'A1 A0 a1 1A A1048576 A1048577 XFD1 XFE1 ZZZZZZZZZ9 1048576 1048577';
const attributes = 's str inlineStr b d e n hidden veryHidden on External preserve rId1 rId2 worksheet';
const paths = '../../../etc/passwd /xl/workbook.xml xl/worksheets/sheet1.xml // .. http://a.test/';
const escapes = '_x0000_ _xD800_ _x005F_x000D_ _x &#0; &#xD800; &#x110000; &amp;amp; &lol; & &#99999999999;';
const identifiers = "356938030010004 '356938030010004 35-693803-001000-4 IMEI 99000012345678 A0000012345678";
const letters = '\u0000 \ud800 \ufffe \ufeff \u202e \u200b \ue000 \u{1f600}';

const words = [numbers, cells, attributes, paths, escapes, identifiers, letters].join(' ').split(' ');
/** Pieces of long texts, which cost time wherever they are read more than once. */
const repeated =
  '9 0 . x - / ; 356938030010004; 1/ \ufdfa &amp; \u0301\u0316 \uff9e\u0315 _x0041_ &#65; _x'.split(' ');
const tags = 'c v row si t rPh is f r sheetData x:c'.split(' ');
const markup = [
  '<?xml version="1.1" standalone="no"?>',
  '<!DOCTYPE a [<!ENTITY b "c">]>',
  '<![CDATA[',
  '<!--',
  ']]>',
  '<',
  '/>',
  '<c r="A1" r="A2">',
  '<c __proto__="1">',
  '<row r="1048576"/>',
  '<sheetData/>',
  '<x:c r="A1" t="s"><x:v>0</x:v></x:c>',
  '<c t="inlineStr"><is><t>1</t></is></c>',
  '<sheet name="x" r:id="rId1" state="hidden"/>',
  '<workbookPr date1904="1"/>',
];

const longTexts = fc
  .tuple(fc.constantFrom('', 'A', '1'), fc.constantFrom(...repeated), fc.constantFrom(3, 300, 33_000))
  .map(([start, piece, times]) => start + piece.repeat(times).slice(0, 100_000));
const texts = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom('', ' ', ...words) },
  { weight: 1, arbitrary: fc.double().map(String) },
  { weight: 1, arbitrary: longTexts },
);

/** Tags and the texts between them. */
type Pieces = string[];

const isTag = (piece: string) => /^<\/?\w/.test(piece);
const hasAttribute = (piece: string) => isTag(piece) && piece.includes('=');
const isText = (piece: string) => !piece.startsWith('<');

/** Replaces one of the pieces that are wanted, if there is any. */
function replaceOne(
  wanted: (piece: string) => boolean,
  replacement: fc.Arbitrary<(piece: string) => string>,
): fc.Arbitrary<Change<Pieces>> {
  return fc.tuple(fc.nat(), replacement).map(([number, replace]) => (pieces) => {
    const places = [...pieces.keys()].filter((place) => wanted(pieces[place] ?? ''));
    const place = places[number % places.length];
    return place === undefined ? pieces : pieces.with(place, replace(pieces[place] ?? ''));
  });
}

/** Removes some pieces anywhere, and inserts others in their place. */
function splice(
  removed: fc.Arbitrary<number>,
  inserted: fc.Arbitrary<(removed: Pieces) => Pieces>,
): fc.Arbitrary<Change<Pieces>> {
  return fc.tuple(fc.nat(), removed, inserted).map(([number, count, insert]) => (pieces) => {
    const at = number % Math.max(1, pieces.length);
    return pieces.toSpliced(at, count, ...insert(pieces.slice(at, at + count)));
  });
}

const changeAttribute = replaceOne(
  hasAttribute,
  fc.tuple(fc.nat(8), texts).map(([skipped, text]) => (tag: string) => {
    const values = [...tag.matchAll(/=\s*(["']).*?\1/g)];
    const value = values[skipped % values.length]?.[0];
    return value ? tag.replace(value, () => `="${text.replaceAll(/["<]/g, '')}"`) : tag;
  }),
);

const changeText = replaceOne(
  isText,
  texts.map((text) => () => text),
);

/** Fills the sheet with rows, each with a text as long as a cell may have: a cost of the square of the length shows. */
const fillRows = fc
  .tuple(
    fc.constantFrom('', '1', 'A'),
    fc.constantFrom(...repeated),
    fc.constantFrom(
      ['<c><v>', '</v></c>'],
      ['<c t="str"><v>', '</v></c>'],
      ['<c t="inlineStr"><is><t>', '</t></is></c>'],
    ),
  )
  .map(([start, piece, [open, close]]) => (pieces: Pieces) => {
    const text = start + piece.repeat(longestText / piece.length);
    const row = `<row>${open}${text}${close}</row>`;
    return pieces.flatMap((tag) =>
      /^<(\w+:)?sheetData>/.test(tag) ? [tag, row.repeat(longest / row.length)] : [tag],
    );
  });

const structureChanges = fc.oneof(
  splice(
    fc.constantFrom(1, 10),
    fc.constant(() => []),
  ),
  splice(
    fc.constant(0),
    fc.constantFrom(...markup).map((piece) => () => [piece]),
  ),
  splice(
    fc.integer({ min: 1, max: 12 }),
    fc.constantFrom(2, 30, 400, 20_000).map((times) => (run: Pieces) => {
      const text = run.join('');
      return [text.repeat(Math.min(times, longest / (text.length + 1)))];
    }),
  ),
  splice(
    fc.constant(0),
    fc.tuple(fc.constantFrom(10, 255, 256, 257, 5_000), fc.boolean()).map(([depth, closed]) => () => [
      '<a>'.repeat(depth),
      '</a>'.repeat(closed ? depth : 0),
    ]),
  ),
  splice(
    fc.constant(Number.MAX_SAFE_INTEGER),
    fc.constant(() => []),
  ),
  replaceOne(
    isTag,
    fc.constantFrom(...tags).map((name) => (tag: string) => tag.replace(/\w[\w:]*/, name)),
  ),
);

const contentChanges = fc.oneof(changeAttribute, changeText, fillRows);

/** Half of the parts stay well formed, so that more than the first tags is read. */
const partChanges = fc.oneof(contentChanges, fc.oneof(contentChanges, structureChanges));

const encodings = fc.oneof(
  { weight: 11, arbitrary: fc.constant((xml: string) => Buffer.from(xml)) },
  {
    weight: 1,
    arbitrary: fc
      .tuple(fc.constantFrom('utf8', 'utf16le', 'latin1'), fc.boolean())
      .map(([encoding, swapped]) => (xml: string) => {
        const bytes = Buffer.from(`\ufeff${xml}`, encoding);
        return swapped && bytes.length % 2 === 0 ? bytes.swap16() : bytes;
      }),
  },
);

function mutatePart(part: Buffer): fc.Arbitrary<Buffer> {
  const split = () =>
    part
      .toString()
      .split(/(<[^>]*>)/)
      .filter(Boolean);
  const asXml = fc
    .tuple(mutate(split, partChanges, 4), encodings)
    .map(([pieces, encode]) => encode(pieces.join('').slice(0, longest)));
  return fc.oneof(
    { weight: 7, arbitrary: asXml },
    { weight: 1, arbitrary: mutate(() => part, byteChanges, 6) },
  );
}

/** Workbooks with changed XML in one or two parts, most often of cells or texts; some lack a part. */
export function mutateXml(parts: Map<string, Buffer>): fc.Arbitrary<Buffer> {
  const names = [...parts.keys()].filter((name) => /\.(xml|rels)$/i.test(name));
  const rows = names.filter((name) => /sheet|string/i.test(name) && !name.endsWith('rels'));
  const changed = fc.oneof(
    ...[...rows, ...rows, ...names].map((name) =>
      mutatePart(parts.get(name) ?? Buffer.alloc(0)).map((part) => [name, part] as const),
    ),
  );
  const removed = fc.option(fc.constantFrom(...names), { freq: 9, nil: '' });
  return fc.tuple(fc.array(changed, { minLength: 1, maxLength: 2 }), removed).map(([made, name]) => {
    const all = new Map([...parts, ...made]);
    all.delete(name);
    return zip(all);
  });
}
