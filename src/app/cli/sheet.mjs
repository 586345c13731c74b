import { deflateRawSync } from 'node:zlib';

const escapeXml = (text) =>
  text
    // Characters that XML cannot have.
    .replace(/[^\t\n\r\x20-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu, '')
    .replace(/[&<>]/g, (character) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;' })[character]);

const cell = (value) =>
  `<c t="inlineStr"><is><t xml:space="preserve">${escapeXml(String(value ?? ''))}</t></is></c>`;
const line = (values) => `<row>${values.map(cell).join('')}</row>`;

const head = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>';
const office = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const types = 'application/vnd.openxmlformats-officedocument.spreadsheetml';
const packages = 'http://schemas.openxmlformats.org/package/2006';
const sheets = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';

/** Makes an Excel file of one sheet. Every value is a text, so that no digit of an IMEI is lost. */
export function makeSheet(heads, rows) {
  return zip({
    '[Content_Types].xml': `${head}<Types xmlns="${packages}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Override PartName="/xl/workbook.xml" ContentType="${types}.sheet.main+xml"/><Override PartName="/xl/worksheets/sheet1.xml" ContentType="${types}.worksheet+xml"/></Types>`,
    '_rels/.rels': `${head}<Relationships xmlns="${packages}/relationships"><Relationship Id="rId1" Type="${office}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
    'xl/workbook.xml': `${head}<workbook xmlns="${sheets}" xmlns:r="${office}"><sheets><sheet name="Devices" sheetId="1" r:id="rId1"/></sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': `${head}<Relationships xmlns="${packages}/relationships"><Relationship Id="rId1" Type="${office}/worksheet" Target="worksheets/sheet1.xml"/></Relationships>`,
    'xl/worksheets/sheet1.xml': `${head}<worksheet xmlns="${sheets}"><sheetData>${[heads, ...rows].map(line).join('')}</sheetData></worksheet>`,
  });
}

/** Packs files, by their names, into a ZIP archive. */
function zip(files) {
  const parts = [];
  const directory = [];
  let offset = 0;
  for (const [name, text] of Object.entries(files)) {
    const content = Buffer.from(text);
    const packed = deflateRawSync(content);
    const title = Buffer.from(name);
    // Version 2.0, no flags, deflated, 1980-01-01.
    const common = numbers(
      [20, 2],
      [0, 2],
      [8, 2],
      [0, 2],
      [33, 2],
      [checksum(content), 4],
      [packed.length, 4],
      [content.length, 4],
      [title.length, 2],
      [0, 2],
    );
    const local = Buffer.concat([numbers([0x04034b50, 4]), common, title, packed]);
    directory.push(
      Buffer.concat([
        numbers([0x02014b50, 4], [20, 2]),
        common,
        numbers([0, 2], [0, 2], [0, 2], [0, 4], [offset, 4]),
        title,
      ]),
    );
    parts.push(local);
    offset += local.length;
  }
  const index = Buffer.concat(directory);
  const count = directory.length;
  const end = numbers(
    [0x06054b50, 4],
    [0, 2],
    [0, 2],
    [count, 2],
    [count, 2],
    [index.length, 4],
    [offset, 4],
    [0, 2],
  );
  return Buffer.concat([...parts, index, end]);
}

/** Returns little-endian numbers, each with its bytes. */
function numbers(...values) {
  return Buffer.concat(
    values.map(([value, bytes]) => {
      const part = Buffer.alloc(bytes);
      part.writeUIntLE(value, 0, bytes);
      return part;
    }),
  );
}

/** Returns the CRC-32 of bytes, which Node has from 20.15 on only. */
function checksum(bytes) {
  let crc = -1;
  for (const byte of bytes) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit++) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0);
  }
  return ~crc >>> 0;
}
