import fc from 'fast-check';
import { workbookParts, zip } from '#tests/support/sheets/make-workbook.ts';
import { editList } from './edits.ts';

type Parts = ReadonlyMap<string, string | Buffer>;

/** The longest part, in characters: small enough for thousands of mutants. */
const longest = 1_500_000;

const numbers = '0 1 -1 -0 . .5E 0x10 Infinity NaN 1e999 1E-999 3.53901E+14 16777216 4294967295 4294967296';
const cells = 'A1 A0 a1 1A A1048576 A1048577 XFD1 XFE1 ZZZZZZZZZ9 1048576 1048577';
const words = 's str inlineStr b d e n hidden veryHidden on External preserve rId1 rId2 worksheet';
const paths = '../../../etc/passwd /xl/workbook.xml xl/worksheets/sheet1.xml // .. http://a.test/';
const escapes = '_x0000_ _xD800_ _x005F_x000D_ _x &#0; &#xD800; &#x110000; &amp;amp; &lol; & &#99999999999;';
const identifiers = "356938030010004 '356938030010004 35-693803-001000-4 IMEI 99000012345678 A0000012345678";
const letters = '\u0000 \ud800 \ufffe \ufeff \u202e \u200b \ue000 \u{1f600}';
const known = [numbers, cells, words, paths, escapes, identifiers, letters].join(' ').split(' ');
/** Pieces of long texts, which show any parsing that is quadratic in a text's length. */
const repeated =
  '9 0 . x - / ; 356938030010004; 1/ \ufdfa &amp; \u0301\u0316 \uff9e\u0315 _x0041_ &#65; _x'.split(' ');
/** Texts of nearly the maximum length of a cell. */
const longTexts = fc
  .tuple(fc.constantFrom('', 'A', '1'), fc.constantFrom(...repeated), fc.constantFrom(300, 32_700, 32_700))
  .map(([start, piece, length]) => start + piece.repeat(length / piece.length));
const texts = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom('', ' ', ...known) },
  { weight: 1, arbitrary: fc.oneof(fc.string(), fc.double().map(String)) },
  { weight: 1, arbitrary: longTexts },
);
const markup = fc.constantFrom(
  ...[
    '<!DOCTYPE a [<!ENTITY b "c">]>',
    '<?xml version="1.1"?>',
    '<![CDATA[',
    '<!--',
    ']]>',
    '<',
    '/>',
    '<a>',
  ],
  ...['<row r="1048576"/>', '<sheetData/>', '<c r="A1" r="A2">', '<x:c t="s"><x:v>0</x:v></x:c>'],
  ...['<c t="inlineStr"><is><t>1</t></is></c>', '<workbookPr date1904="1"/>', '<c __proto__="1">'],
  '<sheet name="x" r:id="rId1" state="hidden"/>',
);

/** New sheets, filled with one row, so that parsing that is quadratic in a text's length shows. */
const sheets = fc
  .record({
    text: fc.oneof(texts, longTexts),
    cell: fc.constantFrom(
      (text: string) => `<c><v>${text}</v></c>`,
      (text: string) => `<c t="str"><v>${text}</v></c>`,
      (text: string) => `<c t="s"><v>${text}</v></c>`,
      (text: string) => `<c t="inlineStr"><is><t>${text}</t></is></c>`,
    ),
    strings: fc.option(texts),
    rows: fc.constantFrom(1, longest),
  })
  .map(({ text, cell, strings, rows }) => {
    const row = `<row>${cell(text)}</row>`;
    const made = row.repeat(Math.min(rows, longest / row.length));
    return zip(workbookParts(made, strings === null ? undefined : `<si><t>${strings}</t></si>`));
  });

/** Generates a part with edited tags, attribute values and texts, in one of several encodings. */
function editPart(part: string | Buffer): fc.Arbitrary<Buffer> {
  const pieces = String(part).split(/(?=[<"])|(?<=[>"])/);
  const contents = [...pieces.keys()].filter((place) => !/[<>"]/.test(pieces[place] ?? ''));
  const change = fc.tuple(fc.nat(), texts);
  const changed = fc.array(change, { minLength: 1, maxLength: 4 }).map((changes) => {
    const made = [...pieces];
    for (const [number, text] of changes) made[contents[number % contents.length] ?? 0] = text;
    return made;
  });
  const edited = fc.oneof(changed, editList(pieces, fc.oneof(markup, texts)));
  return fc.tuple(edited, encodings).map(([made, encode]) => encode(made.join('').slice(0, longest)));
}

const encodings = fc.constantFrom<((xml: string) => Buffer)[]>(
  ...Array(20).fill((xml: string) => Buffer.from(xml)),
  (xml) => Buffer.from(`\ufeff${xml}`, 'utf16le'),
  (xml) => Buffer.from(`\ufeff${xml}`, 'utf16le').swap16(),
  (xml) => Buffer.from(xml, 'latin1'),
);

/** Generates workbooks with changed XML in one or two parts, most often of cells or texts. Some lack a part. */
export function mutateXml(parts: Parts): fc.Arbitrary<Buffer> {
  const names = [...parts.keys()].filter((name) => /\.(xml|rels)$/i.test(name));
  const rows = names.filter((name) => /sheet|string/i.test(name) && !name.endsWith('rels'));
  const changed = fc.oneof(
    ...[...rows, ...rows, ...names].map((name) =>
      fc.tuple(fc.constant(name), editPart(parts.get(name) ?? '')),
    ),
  );
  const removed = fc.option(fc.constantFrom(...names), { freq: 9, nil: '' });
  const edited = fc.tuple(fc.array(changed, { minLength: 1, maxLength: 2 }), removed).map(([made, name]) => {
    const all = new Map([...parts, ...made]);
    all.delete(name);
    return zip(all);
  });
  return fc.oneof({ weight: 3, arbitrary: edited }, { weight: 1, arbitrary: sheets });
}
