import { crc32, deflateRawSync } from 'node:zlib';

const workbookXml = (sheets: string, properties = '') =>
  `<workbook xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main" xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships">${properties}<sheets>${sheets}</sheets></workbook>`;

const relations = (list: [id: string, type: string, target: string][]) =>
  `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${list
    .map(
      ([id, type, target]) =>
        `<Relationship Id="${id}" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/${type}" Target="${target}"/>`,
    )
    .join('')}</Relationships>`;

/** Creates the parts of a workbook with one sheet, or several equal ones. `rows` is the content of `sheetData`. */
export function workbookParts(rows: string, strings?: string, sheets = 1): Map<string, string | Buffer> {
  const numbers = Array.from({ length: sheets }, (_, n) => n + 1);
  const listed = numbers.map((n) => `<sheet name="Sheet${n}" sheetId="${n}" r:id="rId${n}"/>`);
  const parts = new Map<string, string | Buffer>([
    ['_rels/.rels', relations([['rId1', 'officeDocument', 'xl/workbook.xml']])],
    ['xl/workbook.xml', workbookXml(listed.join(''))],
    [
      'xl/_rels/workbook.xml.rels',
      relations([
        ...numbers.map(
          (n) => [`rId${n}`, 'worksheet', `worksheets/sheet${n}.xml`] as [string, string, string],
        ),
        ['rId0', 'sharedStrings', 'sharedStrings.xml'],
      ]),
    ],
    ...numbers.map((n) => [`xl/worksheets/sheet${n}.xml`, worksheetXml(rows)] as [string, string]),
  ]);
  if (strings !== undefined) parts.set('xl/sharedStrings.xml', `<sst>${strings}</sst>`);
  return parts;
}

/** Creates a worksheet part with rows. */
export function worksheetXml(rows: string): string {
  return `<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheetData>${rows}</sheetData></worksheet>`;
}

/** Creates a workbook part with `sheet` elements. */
export { workbookXml };

/** Creates an .xlsx file with one column of texts, from row 1 on. Empty texts leave their row empty. */
export function makeWorkbook(columnA: string[]): Buffer {
  const toXml = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
  const rows = columnA.map((text, i) =>
    text === ''
      ? ''
      : `<row r="${i + 1}"><c r="A${i + 1}" t="inlineStr"><is><t xml:space="preserve">${toXml(text)}</t></is></c></row>`,
  );
  return zip(workbookParts(rows.join('')));
}

/** Creates an .xlsx file with sheets of several columns of texts. Empty texts leave their cell empty. */
export function makeSheets(sheets: { name: string; hidden?: boolean; rows: string[][] }[]): Buffer {
  const toXml = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
  const toCell = (text: string) =>
    text === '' ? '<c/>' : `<c t="inlineStr"><is><t>${toXml(text)}</t></is></c>`;
  const parts = workbookParts('');
  const state = (hidden = false) => (hidden ? ' state="hidden"' : '');
  const listed = sheets.map(
    ({ name, hidden }, i) => `<sheet name="${name}" sheetId="${i + 1}"${state(hidden)} r:id="rId${i + 1}"/>`,
  );
  parts.set('xl/workbook.xml', workbookXml(listed.join('')));
  const paths = sheets.map((_, i) => `worksheets/sheet${i + 1}.xml`);
  parts.set(
    'xl/_rels/workbook.xml.rels',
    relations(paths.map((path, i) => [`rId${i + 1}`, 'worksheet', path])),
  );
  for (const [i, { rows }] of sheets.entries()) {
    const xml = rows.map((cells) => `<row>${cells.map(toCell).join('')}</row>`).join('');
    parts.set(`xl/${paths[i]}`, worksheetXml(xml));
  }
  return zip(parts);
}

/** Packs parts into a zip file, in their order. @param level of the compression; most programs use 6 */
export function zip(parts: Iterable<[path: string, content: string | Buffer]>, level = 1): Buffer {
  const files: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const [path, content] of parts) {
    const name = Buffer.from(path);
    const bytes = Buffer.from(content);
    const packed = deflateRawSync(bytes, { level });
    const facts = Buffer.alloc(26);
    facts.writeUInt16LE(20, 0);
    facts.writeUInt16LE(8, 4);
    facts.writeUInt32LE(crc32(bytes), 10);
    facts.writeUInt32LE(packed.length, 14);
    facts.writeUInt32LE(bytes.length, 18);
    facts.writeUInt16LE(name.length, 22);
    const place = Buffer.alloc(14);
    place.writeUInt32LE(offset, 10);
    const local = Buffer.concat([Buffer.from('PK\x03\x04', 'latin1'), facts, name, packed]);
    files.push(local);
    directory.push(Buffer.from('PK\x01\x02\x14\x00', 'latin1'), facts, place, name);
    offset += local.length;
  }
  const list = Buffer.concat(directory);
  const end = Buffer.alloc(22);
  end.write('PK\x05\x06', 'latin1');
  end.writeUInt16LE(files.length, 8);
  end.writeUInt16LE(files.length, 10);
  end.writeUInt32LE(list.length, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...files, list, end]);
}

/** Adds a ZIP64 locator, with the offset of a larger end record, in front of a zip file's end record. */
export function withZip64Locator(file: Buffer, endRecordAt: bigint): Buffer {
  const locator = Buffer.alloc(20);
  locator.write('PK\x06\x07', 'latin1');
  locator.writeBigUInt64LE(endRecordAt, 8);
  locator.writeUInt32LE(1, 16);
  const end = file.length - 22;
  return Buffer.concat([file.subarray(0, end), locator, file.subarray(end)]);
}
