import { nameColumn } from './annotation/columns.ts';
import { type Cell, escapeText, headStyle, writeCell, writeValue } from './cell.ts';
import { writeStyles } from './styles.ts';
import { writeZip, type ZipEntry } from './write-zip.ts';

/** One sheet: its head, frozen and with a filter, and its rows in batches. */
export type Sheet = {
  /** At most 31 characters, none of \ / ? * [ ] or a colon. */
  name: string;
  /** Widths in characters. */
  columns: { header: string; width: number }[];
  rows: AsyncIterable<Cell[][]>;
};

/** The most rows of a sheet; further rows go into another one. */
const maxSheetRows = 1_048_576;

const declaration = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>';
const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const relationships = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const packages = 'http://schemas.openxmlformats.org/package/2006';
const excel = 'application/vnd.openxmlformats-officedocument.spreadsheetml';

/** Writes an .xlsx workbook as a stream; rows are read when the sheet before is complete. */
export function writeWorkbook(sheets: Sheet[], maxRows = maxSheetRows): AsyncGenerator<Uint8Array> {
  return writeZip(listParts(sheets, maxRows));
}

async function* listParts(sheets: Sheet[], maxRows: number): AsyncGenerator<ZipEntry> {
  const names: string[] = [];
  for (const sheet of sheets) {
    const rows = new RowReader(sheet.rows);
    let nth = 1;
    do {
      names.push(nth === 1 ? sheet.name : `${sheet.name.slice(0, 27)}_${nth}`);
      yield { name: `xl/worksheets/sheet${names.length}.xml`, text: writeSheet(sheet, rows, maxRows) };
      nth += 1;
    } while (await rows.hasMore());
  }
  const part = (name: string, xml: string) => ({ name, text: [declaration + xml] });
  yield part('xl/workbook.xml', writeBook(names));
  yield part('xl/_rels/workbook.xml.rels', writeBookRelations(names.length));
  yield { name: 'xl/styles.xml', text: [writeStyles()] };
  yield part('_rels/.rels', relate([['rId1', `${relationships}/officeDocument`, 'xl/workbook.xml']]));
  yield part('[Content_Types].xml', writeTypes(names.length));
}

/** Rows one by one, with a look ahead. */
class RowReader {
  readonly #batches: AsyncIterator<Cell[][]>;
  #batch: Cell[][] = [];
  #at = 0;

  constructor(batches: AsyncIterable<Cell[][]>) {
    this.#batches = batches[Symbol.asyncIterator]();
  }

  async hasMore(): Promise<boolean> {
    while (this.#at >= this.#batch.length) {
      const { value, done } = await this.#batches.next();
      if (done) return false;
      [this.#batch, this.#at] = [value, 0];
    }
    return true;
  }

  /** Returns up to `most` of the available rows. */
  take(most: number): Cell[][] {
    const taken = this.#batch.slice(this.#at, this.#at + most);
    this.#at += taken.length;
    return taken;
  }
}

async function* writeSheet({ columns }: Sheet, rows: RowReader, maxRows: number): AsyncGenerator<string> {
  const letters = columns.map((_, column) => nameColumn(column + 1));
  const widths = columns.map(
    ({ width }, column) => `<col min="${column + 1}" max="${column + 1}" width="${width}" customWidth="1"/>`,
  );
  const head = columns.map(({ header }, column) =>
    writeValue(`${letters[column]}1`, header, ` s="${headStyle}"`),
  );
  yield `${declaration}<worksheet xmlns="${main}"><sheetViews><sheetView workbookViewId="0">` +
    '<pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews>' +
    `<sheetFormatPr defaultRowHeight="15"/><cols>${widths.join('')}</cols><sheetData><row r="1">${head.join('')}</row>`;
  let last = 1;
  while (last < maxRows && (await rows.hasMore())) {
    let xml = '';
    for (const cells of rows.take(maxRows - last)) {
      last += 1;
      xml += `<row r="${last}">`;
      for (let column = 0; column < cells.length; column++) {
        xml += writeCell(`${letters[column]}${last}`, cells[column] ?? null);
      }
      xml += '</row>';
    }
    yield xml;
  }
  const all = `A1:${letters.at(-1)}${last}`;
  // Otherwise Excel marks each identifier as a mistake.
  const ignored = `<ignoredErrors><ignoredError sqref="${all}" numberStoredAsText="1"/></ignoredErrors>`;
  yield `</sheetData><autoFilter ref="${all}"/>${ignored}</worksheet>`;
}

function writeBook(names: string[]): string {
  const sheets = names.map(
    (name, nth) =>
      `<sheet name="${escapeText(name).replaceAll('"', '&quot;')}" sheetId="${nth + 1}" r:id="rId${nth + 1}"/>`,
  );
  return `<workbook xmlns="${main}" xmlns:r="${relationships}"><bookViews><workbookView/></bookViews><sheets>${sheets.join('')}</sheets></workbook>`;
}

function writeBookRelations(count: number): string {
  const sheets = Array.from({ length: count }, (_, nth): [string, string, string] => [
    `rId${nth + 1}`,
    `${relationships}/worksheet`,
    `worksheets/sheet${nth + 1}.xml`,
  ]);
  return relate([...sheets, [`rId${count + 1}`, `${relationships}/styles`, 'styles.xml']]);
}

function relate(relations: [id: string, type: string, target: string][]): string {
  const entries = relations.map(
    ([id, type, target]) => `<Relationship Id="${id}" Type="${type}" Target="${target}"/>`,
  );
  return `<Relationships xmlns="${packages}/relationships">${entries.join('')}</Relationships>`;
}

function writeTypes(sheets: number): string {
  const override = (part: string, type: string) =>
    `<Override PartName="/${part}" ContentType="${excel}.${type}+xml"/>`;
  return [
    `<Types xmlns="${packages}/content-types">`,
    '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>',
    '<Default Extension="xml" ContentType="application/xml"/>',
    override('xl/workbook.xml', 'sheet.main'),
    override('xl/styles.xml', 'styles'),
    ...Array.from({ length: sheets }, (_, nth) => override(`xl/worksheets/sheet${nth + 1}.xml`, 'worksheet')),
    '</Types>',
  ].join('');
}
