import { zip } from '#tests/support/make-workbook.ts';
import type { Random } from '../random.ts';
import { mutateBytes } from './mutate-bytes.ts';

const longest = 1_500_000;

const texts = [
  ...[
    '',
    ' ',
    '0',
    '1',
    '-1',
    '-0',
    '.',
    '1.',
    '.5E',
    '0x10',
    'Infinity',
    'NaN',
    '1e999',
    '1E-999',
    '1e+309',
  ],
  ...['9'.repeat(40), '9'.repeat(400), `1${'0'.repeat(308)}`, `0.${'0'.repeat(330)}1`, '3.53901E+14'],
  ...['4294967295', '4294967296', '16777215', '16777216', '2147483648', '999999999', '9999999999'],
  ...['A1', 'A0', 'A1048576', 'A1048577', 'XFD1', 'XFE1', 'ZZZZZZZZZ9', 'a1', '1A', '1048576', '1048577'],
  ...['s', 'str', 'inlineStr', 'b', 'd', 'e', 'n', 'hidden', 'veryHidden', 'on', 'External', 'preserve'],
  ...['_x0000_', '_xD800_', '_xDC00_', '_xFFFF_', '_x005F_x000D_', '_x', '__proto__', 'constructor'],
  ...['&#0;', '&#xD800;', '&#x110000;', '&#xFFFE;', '&amp;amp;', '&lol;', '&', '&#99999999999;', '&#x;'],
  ...['\u0000', '\u0001', '\ud800', '\ufffe', '\ufeff', '\u202e', '\u00a0', '\u200b', '\ue000', '\u{1f600}'],
  ...[
    '../../../etc/passwd',
    '/xl/workbook.xml',
    'xl/worksheets/sheet1.xml',
    '//',
    '..',
    '.',
    'http://a.test/',
  ],
  ...['rId1', 'rId2', 'rId3', 'worksheet', '/sharedStrings', '/officeDocument', 'worksheets/sheet1.xml'],
  ...[
    '356938030010004',
    "'356938030010004",
    '35-693803-001000-4',
    'IMEI',
    '99000012345678',
    'A0000012345678',
  ],
];
/** Texts that grow: what is repeated costs what looks at them more than once. */
const repeated = [
  ...[
    '9',
    '0',
    '.',
    ' ',
    'x',
    '-',
    '/',
    ';',
    '356938030010004;',
    '356938030010004/',
    '1/',
    '\n',
    '\ufdfa',
    '&amp;',
  ],
  ...[
    '\u0301\u0316',
    '\uff9e\u0315',
    '\u200b',
    '_x0041_',
    '&#65;',
    '_x',
    '&',
    "'",
    '\u{1f600}',
    '\ud83d',
    '1,',
    '.0',
  ],
];
const markup = [
  ...[
    '<!-- -->',
    '<![CDATA[1]]>',
    '<?pi x?>',
    '<!DOCTYPE a [<!ENTITY b "c">]>',
    '<![CDATA[',
    '<!--',
    ']]>',
    '-->',
  ],
  ...[
    '<c>',
    '</c>',
    '<v>',
    '</v>',
    '<row>',
    '</row>',
    '<si>',
    '</si>',
    '<t>',
    '</t>',
    '<rPh>',
    '<is>',
    '<f/>',
    '<r>',
  ],
  ...[
    '<sheetData>',
    '</sheetData>',
    '<sheetData/>',
    '<x:c r="A1" t="s"><x:v>0</x:v></x:c>',
    '<',
    '>',
    '/>',
    '</>',
  ],
  ...[
    '<c r="A1" r="A2">',
    '<c __proto__="1">',
    '<row r="1048576"/>',
    '<c t="inlineStr"><is><t>1</t></is></c>',
  ],
  ...['<sheet name="x" r:id="rId1" state="hidden"/>', '<workbookPr date1904="1"/>', '<a:b:c xmlns:a=""/>'],
];

/** A workbook of the same parts, one or two of them with changed XML. */
export function mutateXml(parts: Map<string, Buffer>, others: readonly Buffer[], random: Random): Buffer {
  const made = new Map(parts);
  const names = [...parts.keys()].filter((name) => /\.(xml|rels)$/i.test(name));
  if (names.length === 0) return zip(made);
  // The parts with the cells, and the others.
  const rows = names.filter((name) => /sheet|string/i.test(name) && !/rels$/i.test(name));
  for (let left = random.between(1, 2); left > 0; left--) {
    const name = random.pick(rows.length > 0 && !random.once(3) ? rows : names);
    made.set(name, mutatePart(made.get(name) ?? Buffer.alloc(0), others, random));
  }
  if (random.once(10)) made.delete(random.pick(names));
  return zip(made);
}

function mutatePart(part: Buffer, others: readonly Buffer[], random: Random): Buffer {
  if (random.once(8)) return mutateBytes(part, others, random);
  const pieces = part
    .toString('utf8')
    .split(/(<[^>]*>)/)
    .filter(Boolean);
  // Half of them stay well formed, so that what comes after the first tag is reached too.
  const likely = random.once(2) ? changes : contentChanges;
  for (let left = random.between(1, 4); left > 0; left--) random.pick(likely)(pieces, random);
  return encode(pieces.join('').slice(0, longest), random);
}

function encode(xml: string, random: Random): Buffer {
  if (!random.once(12)) return Buffer.from(xml);
  const bytes = Buffer.from(`\ufeff${xml}`, random.pick(['utf8', 'utf16le', 'latin1'] as const));
  return random.once(4) && bytes.length % 2 === 0 ? bytes.swap16() : bytes;
}

function makeText(random: Random): string {
  if (!random.once(5)) return random.pick(texts);
  const piece = random.pick(repeated);
  return (
    random.pick(['', 'A', '1']) + piece.repeat(random.pick([3, 40, 300, 5_000, 33_000])).slice(0, 100_000)
  );
}

type Change = (pieces: string[], random: Random) => void;

/** A place in the list where such a piece stands; the first one where there is none. */
function find(pieces: string[], random: Random, wanted: (piece: string) => boolean): number {
  const start = random.below(pieces.length);
  for (let step = 0; step < pieces.length; step++) {
    const at = (start + step) % pieces.length;
    if (wanted(pieces[at] ?? '')) return at;
  }
  return 0;
}

const changeAttribute: Change = (pieces, random) => {
  const at = find(pieces, random, (piece) => piece.startsWith('<') && piece.includes('='));
  const values = [...(pieces[at] ?? '').matchAll(/=\s*(["'])(.*?)\1/g)];
  if (values.length === 0) return;
  const { index, 0: whole, 1: quote } = random.pick(values);
  const text = makeText(random).replaceAll(/["'<]/g, '');
  const piece = pieces[at] ?? '';
  pieces[at] = `${piece.slice(0, index)}=${quote}${text}${quote}${piece.slice(index + whole.length)}`;
};

const changeText: Change = (pieces, random) => {
  const at = find(pieces, random, (piece) => !piece.startsWith('<'));
  pieces[at] = makeText(random);
};

/** As many rows as fit, each with a text as long as a cell may have: what costs the square of its length shows. */
const fillRows: Change = (pieces, random) => {
  const at = pieces.findIndex((piece) => /^<(\w+:)?sheetData>/.test(piece));
  if (at < 0) return;
  const piece = random.pick(repeated) + random.pick(['', random.pick(repeated)]);
  const text = random.pick(['', '1', 'A']) + piece.repeat(Math.floor(32_700 / piece.length));
  const cell = random.pick([
    (value: string) => `<c><v>${value}</v></c>`,
    (value: string) => `<c t="str"><v>${value}</v></c>`,
    (value: string) => `<c t="inlineStr"><is><t>${value}</t></is></c>`,
  ]);
  const row = `<row>${cell(text)}</row>`;
  pieces.splice(at + 1, 0, row.repeat(Math.floor(longest / row.length)));
};

const contentChanges: Change[] = [changeAttribute, changeText, fillRows];

const changes: Change[] = [
  ...contentChanges,
  ...contentChanges,
  (pieces, random) => pieces.splice(random.below(pieces.length), random.pick([1, 1, 1, 10])),
  (pieces, random) => pieces.splice(random.below(pieces.length), 0, random.pick(markup)),
  (pieces, random) => {
    const [a, b] = [random.below(pieces.length), random.below(pieces.length)];
    [pieces[a], pieces[b]] = [pieces[b] ?? '', pieces[a] ?? ''];
  },
  // Some of it again and again.
  (pieces, random) => {
    const start = random.below(pieces.length);
    const run = pieces.slice(start, start + random.between(1, 12)).join('');
    const times = Math.min(random.pick([2, 30, 400, 20_000]), Math.floor(longest / (run.length + 1)));
    pieces.splice(start, 0, run.repeat(times));
  },
  // A name or an attribute of another tag.
  (pieces, random) => {
    const tag = (piece: string) => /^<\/?\w/.test(piece);
    const at = find(pieces, random, tag);
    const other = /\w[\w:]*/.exec(pieces[find(pieces, random, tag)] ?? '')?.[0] ?? 'v';
    pieces[at] = (pieces[at] ?? '').replace(/\w[\w:]*/, other);
  },
  (pieces, random) => {
    const depth = random.pick([10, 255, 256, 257, 5_000]);
    const at = random.below(pieces.length);
    pieces.splice(at, 0, '<a>'.repeat(depth), random.once(2) ? '</a>'.repeat(depth) : '');
  },
  (pieces, random) => {
    pieces.length = random.below(pieces.length);
  },
];
