import assert from 'node:assert/strict';
import { execFile, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import * as XLSX from '@e965/xlsx';
import { readSheet } from '../../sheet/read-sheet.ts';
import { openPackage, type StoredEntry } from '../../sheet/xlsx/zip-parts.ts';
import type { Cell } from '../cell.ts';
import { annotateWorkbook, NoFreeColumnError } from './annotate-workbook.ts';

const folder = new URL('../../../../tests/cases/sheets/', import.meta.url);
type Case = { file: string; expect: 'values' | 'error'; values?: string[] };
const cases = JSON.parse(readFileSync(new URL('MANIFEST.json', folder), 'utf8')) as Case[];
/** The .xlsx files with rows: zips, whatever their names say. */
const workbooks = cases.filter(
  ({ file, expect, values }) =>
    expect === 'values' &&
    values?.length !== 0 &&
    readFileSync(new URL(file, folder)).toString('latin1', 0, 2) === 'PK',
);
const hasLibreOffice = spawnSync('soffice', ['--version'], { timeout: 60_000 }).status === 0;
const added: Cell[] = ['=1+1 <&> _x0041_ "\u0001"', { value: 45_351, form: 'day' }, 7];
const maxColumns = 60;
/** LibreOffice's options for a comma, quotes and UTF-8, with a file for every sheet (-1). */
const csv = 'csv:Text - txt - csv (StarCalc):44,34,76,1,,0,false,true,false,false,false,-1';

/** The annotated copies, for LibreOffice. */
const annotated: string[] = [];
let place: string;
before(async () => {
  place = await mkdtemp(join(tmpdir(), 'annotation-'));
});
after(() => rm(place, { recursive: true, force: true }));

/** Reads the cells of the sheet that the reader chooses, by row, and the path of its part. */
async function readCells(path: string) {
  const rows = new Map<number, (string | undefined)[]>();
  let part: string | undefined;
  await readSheet(path, { columns: maxColumns, maxRows: 1_000_000 }, (found, { sheetPart }) => {
    part = sheetPart;
    for (const { row, cells } of found)
      rows.set(
        row,
        Array.from(cells, (cell) => cell?.text),
      );
  });
  return { rows, part };
}

/** Reads the stored bytes of all entries except those of some paths. */
async function readEntries(path: string, except: (entry: StoredEntry) => boolean) {
  const parts = await openPackage(path);
  try {
    const found: [string, number, number, string][] = [];
    for (const entry of parts.list()) {
      if (except(entry)) continue;
      const bytes: Buffer[] = [];
      for await (const piece of entry.read()) bytes.push(piece);
      found.push([entry.name.toString(), entry.crc, entry.size, Buffer.concat(bytes).toString('base64')]);
    }
    return found;
  } finally {
    await parts.close();
  }
}

async function annotate(path: string, part: string, rows: number[]): Promise<Buffer> {
  const parts = await openPackage(path);
  async function* listRows() {
    yield rows.map((row) => ({ row, cells: added }));
  }
  try {
    const chunks: Uint8Array[] = [];
    for await (const chunk of annotateWorkbook(parts, part, [10, 20, 30], listRows())) chunks.push(chunk);
    return Buffer.concat(chunks);
  } finally {
    await parts.close();
  }
}

describe('every readable public workbook keeps its content and gets new columns', () => {
  for (const { file } of workbooks) {
    test(file, async () => {
      const path = new URL(file, folder).pathname;
      const old = await readCells(path);
      const part = old.part ?? assert.fail('it has no part to annotate');
      if (file === 'bad-far-corner.xlsx') return assert.rejects(annotate(path, part, [1]), NoFreeColumnError);
      const copy = join(place, `${annotated.length}.xlsx`);
      const content = await annotate(path, part, [...old.rows.keys()]);
      await writeFile(copy, content);
      const isTouched = (entry: StoredEntry) =>
        entry.path === part.toLowerCase() || entry.path.endsWith('styles.xml');
      assert.deepEqual(await readEntries(copy, isTouched), await readEntries(path, isTouched));
      const now = await readCells(copy);
      assert.deepEqual([...now.rows.keys()], [...old.rows.keys()]);
      const places = new Set<number>();
      for (const [row, cells] of old.rows) {
        const present = now.rows.get(row) ?? [];
        const at = present.findIndex((text) => text?.startsWith('=1+1'));
        places.add(at);
        const used = Array.from({ length: at }, (_, column) => cells[column]);
        assert.deepEqual(
          present.slice(0, at),
          used.map((_, column) => cells[column]),
        );
        assert.equal(present[at], '=1+1 <&> _x0041_ "\u0001"');
        assert.match(present[at + 1] ?? '', /^(45351|43889|2024-02-29)$/);
        assert.equal(present[at + 2], '7');
      }
      assert.equal(places.size, 1);
      assert.ok(XLSX.read(content).SheetNames.length > 0);
      annotated.push(copy);
    });
  }

  test('LibreOffice opens the annotated workbooks', {
    skip: !hasLibreOffice && 'LibreOffice (soffice) is not installed',
  }, async () => {
    // One call for all, because LibreOffice takes seconds to start.
    const converted = join(place, 'converted');
    await mkdir(converted);
    const profile = `-env:UserInstallation=${pathToFileURL(join(place, 'profile'))}`;
    const args = [profile, '--headless', '--convert-to', csv, '--outdir', converted, ...annotated];
    await promisify(execFile)('soffice', args, { timeout: 600_000 });
    const sheets = await readdir(converted);
    for (const path of annotated) {
      const own = sheets.filter((name) => name.startsWith(`${basename(path, '.xlsx')}-`));
      const texts = await Promise.all(own.map((name) => readFile(join(converted, name), 'utf8')));
      assert.match(texts.join(), /=1\+1 <&> _x0041_/, path);
    }
  });
});
