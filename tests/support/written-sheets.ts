import fc from 'fast-check';
import { worksheetXml } from './make-workbook.ts';

/** Texts of values as they are written, whole or in CDATA. */
const written = fc.oneof(
  fc.constantFrom(
    '356938030010004',
    '0',
    '12',
    '3.5E14',
    ' 7 ',
    '',
    ' ',
    'a > b',
    '&amp;&lt;',
    '&#x1F600;',
    '&#0;',
    '&no;',
  ),
  fc.constantFrom(
    '_x000D_',
    '_x005F_x',
    'caf\u00e9',
    '\u{1F600}',
    '<![CDATA[<v>1</v></row>]]>',
    '<!-- </c> -->',
    '<?x </row>?>',
  ),
  fc.string({ maxLength: 6 }).map((text) => text.replaceAll(/[&<]/g, '_')),
);

const contents = fc.oneof(
  { weight: 6, arbitrary: written.map((text) => `<v>${text}</v>`) },
  written.map((text) => `<is><t>${text}</t></is>`),
  written.map((text) => `<is><t xml:space="preserve">${text}</t></is>`),
  written.map((text) => `<is><r><rPr><b/></rPr><t>${text}</t></r><r><t>x</t></r><rPh><t>y</t></rPh></is>`),
  written.map((text) => `<f>SUM(A1)</f><v>${text}</v>`),
  written.map((text) => `<v>${text}</v>\n<extLst><ext a="</row>"/></extLst>`.replace('</row>', '/>')),
  fc.constantFrom('', '<v/>', '<is/>', '<is><t/></is>', ' ', '<x:v>1</x:v>', '<v>1</v><v>2</v>'),
);

const places = fc.constantFrom(
  'plain',
  'plain',
  'plain',
  'plain',
  'none',
  'late',
  'single',
  'lower',
  'blank',
);

/** Attributes of a cell or row, its place in one of several ways. */
function writeTag(name: string, place: string, reference: string, others: string): string {
  switch (place) {
    case 'none':
      return `<${name}${others}`;
    case 'late':
      return `<${name}${others} r="${reference}"`;
    case 'single':
      return `<${name} r='${reference}'${others}`;
    case 'lower':
      return `<${name} r="${reference.toLowerCase()}"${others}`;
    case 'blank':
      return `<${name}\n r="${reference}"${others} `;
    default:
      return `<${name} r="${reference}"${others}`;
  }
}

const cell = fc.record({
  place: places,
  gap: fc.constantFrom(0, 0, 0, 1, 30),
  others: fc.constantFrom(
    '',
    '',
    ' s="1"',
    ' t="s"',
    ' t="str"',
    ' t="inlineStr"',
    ' t="inlineStr" s="2"',
    ' t="b"',
    ' t="e"',
    ' t="x"',
    ' a=">" t="str"',
    ' x:t="s"',
    ' t="str" t="s"',
    " t='str'",
  ),
  content: contents,
  prefix: fc.constantFrom('', '', '', '', '', '', 'x:'),
  behind: fc.constantFrom('', '', '', '\n', 'text', '<!-- > -->'),
});

const row = fc.record({
  place: places,
  gap: fc.constantFrom(0, 0, 0, 1, 5),
  others: fc.constantFrom('', '', ' spans="1:4"', ' ht="12.5" x14ac:dyDescent="0.25"', ' a="/>"'),
  cells: fc.array(cell, { maxLength: 5 }),
  prefix: fc.constantFrom('', '', '', '', '', '', '', 'x:'),
  behind: fc.constantFrom('', '', '', '\r\n  ', 'text', '<!-- </row> -->'),
});

/** Worksheet parts, most of their rows as they are usually written, some in another way. */
export const writtenSheets = fc
  .record({
    rows: fc.array(row, { maxLength: 8 }),
    head: fc.constantFrom('', '', '\ufeff', '<!-- <sheetData> -->'),
  })
  .map(({ rows, head }) => {
    let number = 0;
    const xml = rows.map(({ place, gap, others, cells, prefix, behind }) => {
      number += 1 + gap;
      const open = writeTag(`${prefix}row`, place, String(number), others);
      return cells.length === 0
        ? `${open}/>`
        : `${open}>${writeCells(cells, number)}</${prefix}row>${behind}`;
    });
    return `${head}${worksheetXml(xml.join(''))}`;
  });

function writeCells(
  cells: (typeof cell extends fc.Arbitrary<infer T> ? T : never)[],
  number: number,
): string {
  let column = 0;
  return cells
    .map(({ place, gap, others, content, prefix, behind }) => {
      column += 1 + gap;
      const open = writeTag(`${prefix}c`, place, `${nameColumn(column)}${number}`, others);
      return content === '' ? `${open}/>${behind}` : `${open}>${content}</${prefix}c>${behind}`;
    })
    .join('');
}

function nameColumn(column: number): string {
  const letter = String.fromCharCode(64 + (((column - 1) % 26) + 1));
  return column <= 26 ? letter : nameColumn(Math.floor((column - 1) / 26)) + letter;
}
